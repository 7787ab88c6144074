import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { captureIntent } from "../../core/payments/captureIntent.ts"
import { cancelIntent, voidIntent } from "../../core/payments/endIntent.ts"
import { fromIso, MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import type { Request, Shown } from "./Client.ts"
import type { PayeePlan } from "./Plan.ts"
import type { Scene } from "./Scene.ts"

/** How a payee ends its part. */
export type Action = "capture" | "void" | "cancel"

const VERBS: { readonly [A in Action]: (caller: Caller, id: string) => Request["verb"] } = {
  capture: captureIntent,
  void: voidIntent,
  cancel: cancelIntent,
}

const EVENTS = { capture: "capture_requested", void: "voided", cancel: "cancelled" } as const

const request = (caller: Caller, id: string, action: Action, key: string | null): Request => ({
  caller,
  route: `POST /v1/payment-intents/${id}/${action}`,
  body: {},
  key,
  status: 200,
  optimistic: false,
  moves: { id, event: EVENTS[action] },
  verb: Effect.suspend(() => VERBS[action](caller, id)),
})

/** The states in which a payee has nothing left to do. */
export const OVER: ReadonlySet<string> = new Set([
  "captured",
  "succeeded",
  "completed",
  "failed",
  "expired",
  "cancelled",
  "voided",
])

/** Looks after the payment, less and less often, until it is authorized or over. */
const awaitAuthorized = Effect.fnUntraced(function* (scene: Scene, payee: Caller, id: string) {
  for (let wait = 2 * SECOND; ; wait = Math.min(wait * 2, MINUTE)) {
    const shown = yield* scene.client.read(payee, id)
    if (shown === undefined || shown.status === "authorized" || OVER.has(shown.status)) {
      return shown?.status
    }
    yield* Effect.sleep(wait)
  }
})

/** What is asked for, in this order, by a payee whose part is to act so. */
export const ACTIONS = {
  captures: ["capture"],
  captures_blindly: ["capture"],
  voids: ["void"],
  cancels: ["cancel"],
  contests: ["capture", "void", "cancel", "capture"],
} as const satisfies { readonly [A in PayeePlan["act"]]?: ReadonlyArray<Action> }

/** What the payee tries besides, at any time. */
export const playProbes = ({ client }: Scene, payee: Caller, plan: PayeePlan, { id }: Shown) =>
  Effect.forEach(
    plan.probes,
    ({ action, after }, n) =>
      Effect.andThen(
        Effect.sleep(after),
        client.send(request(payee, id, action, `${action}-probe-${n}-${id}`)),
      ),
    { concurrency: "unbounded", discard: true },
  )

/** The payee's part: waits for the payer, or not, and takes the money or ends the payment. */
export const playPayee = Effect.fnUntraced(function* (
  scene: Scene,
  payee: Caller,
  plan: PayeePlan,
  intent: Shown,
) {
  if (plan.act === "waits") return
  const { client, stage } = scene
  const expires = fromIso(intent.expires_at) ?? 0
  if (plan.act === "captures" || plan.act === "contests") {
    if ((yield* awaitAuthorized(scene, payee, intent.id)) !== "authorized") return
  }
  yield* Effect.sleep(
    plan.around_expiry === null
      ? plan.after
      : Math.max(expires + plan.around_expiry - stage.now(), 0),
  )
  const key = (action: string) => (plan.keyed ? `${action}-${intent.id}` : null)
  for (let time = 0; time <= plan.again; time += 1) {
    yield* Effect.forEach(
      ACTIONS[plan.act],
      (action) => client.flood(request(payee, intent.id, action, key(action)), plan.parallel),
      { concurrency: "unbounded", discard: true },
    )
  }
})
