import { Effect } from "effect"
import { fromIso, MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import type { PayeePlan } from "../world/plans/Plan.ts"
import type { Ending, PlayerRequest, PlayerWorld, Shown } from "./PlayerWorld.ts"

const request = <Account>(
  who: Account,
  intent: string,
  type: Ending,
  key: string | null,
  body: object = {},
): PlayerRequest<Account> => ({
  who,
  path: `/v1/payment-intents/${intent}/${type}`,
  body,
  key,
  type,
  intent,
})

/** The states in which a payee has nothing more to do. */
const OVER: ReadonlySet<string> = new Set([
  "captured",
  "succeeded",
  "completed",
  "failed",
  "expired",
  "cancelled",
  "voided",
])

/** Checks the payment, less and less often, until it is authorized or over. */
const awaitAuthorized = Effect.fnUntraced(function* <Account, R>(
  { read, sleep }: PlayerWorld<Account, R>,
  payee: Account,
  id: string,
) {
  for (let wait = 2 * SECOND; ; wait = Math.min(wait * 2, MINUTE)) {
    const shown = yield* read(payee, id)
    if (shown === undefined || shown.status === "authorized" || OVER.has(shown.status)) {
      return shown?.status
    }
    yield* sleep(wait)
  }
})

/** The requests, in this order, for each way in which a payee acts. */
const ENDINGS = {
  captures: ["capture"],
  captures_blindly: ["capture"],
  voids: ["void"],
  cancels: ["cancel"],
  contests: ["capture", "void", "cancel", "capture"],
} as const satisfies { readonly [A in PayeePlan["act"]]?: ReadonlyArray<Ending> }

/** Plays the payee's additional requests, at any time. */
export const playProbes = <Account, R>(
  { send, sleep, together }: PlayerWorld<Account, R>,
  payee: Account,
  plan: PayeePlan,
  { id }: Shown,
) =>
  together(
    plan.probes.map(({ action, after }, n) =>
      Effect.andThen(sleep(after), send(request(payee, id, action, `${action}-probe-${n}-${id}`))),
    ),
  )

/** Returns the body of a partial capture. */
const partOf = ({ part }: PayeePlan, { amount }: Shown): object => {
  if (part === undefined) return {}
  const { currency, value } = amount
  return { amount: { currency, value: Math.max(1, Math.floor(value * part)) } }
}

/** Captures the whole if a part was refused and the payment has no other outcome. */
const takeWhole = Effect.fnUntraced(function* <Account, R>(
  world: PlayerWorld<Account, R>,
  payee: Account,
  { id }: Shown,
) {
  const shown = yield* world.read(payee, id)
  if (shown?.status !== "authorized") return
  yield* world.send(request(payee, id, "capture", `capture-whole-${id}`))
})

/** Plays the payee: waits for the payer, or not, and captures the money or ends the payment. */
export const playPayee = Effect.fnUntraced(function* <Account, R>(
  world: PlayerWorld<Account, R>,
  payee: Account,
  plan: PayeePlan,
  made: Shown,
) {
  const { expires_at, id } = made
  const { act, after, again, around_expiry, keyed, parallel } = plan
  const body = world.takesParts ? partOf(plan, made) : {}
  if (act === "waits") return
  if (act === "captures" || act === "contests") {
    if ((yield* awaitAuthorized(world, payee, id)) !== "authorized") return
  }
  yield* around_expiry === null
    ? world.sleep(after)
    : world.sleepUntil((fromIso(expires_at) ?? 0) + around_expiry)
  for (let time = 0; time <= again; time += 1) {
    yield* world.together(
      ENDINGS[act].map((ending) =>
        world.send(
          request(
            payee,
            id,
            ending,
            keyed ? `${ending}-${id}` : null,
            ending === "capture" ? body : {},
          ),
          parallel,
        ),
      ),
    )
  }
  if ("amount" in body && act.startsWith("captures")) yield* takeWhole(world, payee, made)
})
