import { Cause, Effect, Exit, Option } from "effect"
import { credentialFor } from "../../adapters/http/client/PaymentDemand.ts"
import { parseCredential } from "../../adapters/http/client/MppCredential.ts"
import { chargeChallenge, checkCharge, proofOf } from "../../adapters/http/mpp/charge.ts"
import type { Caller } from "../../core/accounts/Account.ts"
import type { RedeemInput } from "../../core/challenges/ChallengeInput.ts"
import type { ChallengeView } from "../../core/challenges/ChallengeView.ts"
import { openChallenge } from "../../core/challenges/openChallenge.ts"
import { redeemProof } from "../../core/challenges/redeemProof.ts"
import { type Failure, isFailure } from "../../core/shared/Failure.ts"
import { MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import { challengeRules, challenges } from "../auditor/invariants/challenges.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { type ServicePlan, SERVICES } from "../world/people/Population.ts"
import { atOnce } from "../world/atOnce.ts"

/** A paid endpoint that has answered 402. */
interface Asked {
  readonly seller: Caller
  readonly id: string
  readonly channel: string
  /** The offer of the 402 to MPP clients. */
  readonly offer: ReturnType<typeof chargeChallenge>
  readonly proof: RedeemInput
  readonly chance: Chance
}

/** The services that one channel's QR code can pay. */
const SOLD = SERVICES.filter(({ default_channel }) => default_channel !== null)

const demand = Effect.fnUntraced(function* (
  { client, people, stage }: Scene,
  n: number,
  plan: ServicePlan,
) {
  const chance = stage.chance(`visitor ${n} of a paid endpoint`)
  const seller = people.sellers[plan.seller]
  const service_id = people.services.get(plan.name)
  if (seller === undefined || service_id === undefined) return undefined
  yield* Effect.sleep(chance.wait(MINUTE))
  const resource = `GET /reports/${n}`
  const amount = { currency: plan.currencies[0], value: chance.int(100, 50_000) }
  const timed = chance.hits(0.5) ? { valid_seconds: chance.int(5, 60) } : {}
  const body = { service_id, amount, resource, ...timed }
  const request = {
    caller: seller,
    route: "POST /v1/payment-challenges",
    body,
    key: null,
    status: 201,
    verb: openChallenge(seller, body),
  } as const
  const made = ((yield* client.send(request)) ?? (yield* client.send(request))) as
    | ChallengeView
    | undefined
  if (made === undefined) return undefined
  const { channel, id, token } = made.payment_intent
  const asked: Asked = {
    seller,
    id,
    channel,
    offer: chargeChallenge(made, SCOPE),
    proof: { service_id, amount, resource, token },
    chance,
  }
  return asked
})

/** The scope of the endpoints' MPP challenges. */
const SCOPE = { realm: "paid endpoints" }

/** Returns the proof in an MPP credential as the endpoint reads it; undefined if it is refused. */
const readInMpp = ({ id, offer }: Asked, { amount, token }: RedeemInput) => {
  const read = parseCredential(credentialFor({ id, token }, offer))
  return typeof read === "object" && checkCharge(read, SCOPE, amount) === undefined
    ? proofOf(read)
    : undefined
}

/** The doors, in turn: every proof is shown at each of them. */
const DOORS = ["own", "x402", "mpp"] as const

const refusalOf = (exit: Exit.Exit<unknown, unknown>): Failure | undefined => {
  const error = Exit.isSuccess(exit)
    ? undefined
    : Option.getOrNull(Cause.findErrorOption(exit.cause))
  return isFailure(error) ? error : undefined
}

/** Shows a proof to the endpoint at the next door; the seller asks the service to redeem it. */
const show = (scene: Scene, asked: Asked, shown: RedeemInput, key: string | null, turn: number) => {
  const { auditor, client, doors, stage } = scene
  const { id, seller } = asked
  const door = DOORS[turn % DOORS.length] ?? "own"
  const verb = Effect.suspend(() => {
    const [asked_at, since] = [stage.now(), auditor.model.step]
    return Effect.onExit(redeemProof(seller, id, shown), (exit) =>
      Effect.sync(() => {
        const failure = refusalOf(exit)
        if (Exit.isFailure(exit) && failure === undefined) return
        const read = door === "mpp" ? readInMpp(asked, shown) : shown
        const accepted = failure === undefined && read?.token === shown.token
        if (doors[door](accepted)) auditor.see("passed", id, { payment_intent: id, door })
        auditor.see("proof", id, {
          account: seller.account.id,
          payment_intent: id,
          shown,
          refused: failure?.code ?? null,
          invites: failure !== undefined && "qr_uri" in (failure.details ?? {}),
          asked_at,
          since,
        })
      }),
    )
  })
  return client.send({
    caller: seller,
    route: `POST /v1/payment-challenges/${id}/redeem`,
    body: shown,
    key,
    verb,
  })
}

/** Returns a request that is similar to the proof, but invalid. */
const misuse = ({ chance, proof }: Asked, other: Asked | undefined): RedeemInput =>
  chance.pick([
    { ...proof, token: `${proof.token.slice(0, -1)}${proof.token.endsWith("A") ? "B" : "A"}` },
    { ...proof, token: other?.proof.token ?? "guessed" },
    { ...proof, resource: `${proof.resource}/all` },
    { ...proof, amount: { ...proof.amount, value: proof.amount.value + 1 } },
    { ...proof, service_id: other?.proof.service_id ?? "another" },
  ])

/** Opens the code in the visitor's wallet, and confirms or leaves it. */
const pay = Effect.fnUntraced(function* ({ network }: Scene, { channel, chance, id }: Asked) {
  yield* Effect.sleep(chance.wait(20 * SECOND))
  const charge = network.find(channel, id)
  if (charge === undefined || !network.scan(charge)) return
  yield* Effect.sleep(chance.wait(10 * SECOND))
  if (chance.hits(0.85)) network.pay(charge, { payer_id: `visitor ${id}`, wallet_id: "wallet" })
})

/** How often a visitor returns with the proof. */
const TURNS = 5

const visit = Effect.fnUntraced(function* (scene: Scene, asked: Asked, other: Asked | undefined) {
  const { chance, id, proof } = asked
  let shows = 0
  const again = (key: boolean) => {
    shows += 1
    return show(scene, asked, proof, key ? `shows ${id} ${shows}` : null, shows)
  }
  const wrong = () => show(scene, asked, misuse(asked, other), null, shows)
  if (chance.hits(0.3)) yield* again(false)
  if (chance.hits(0.5)) yield* wrong()
  yield* pay(scene, asked)
  for (let turn = 0; turn < TURNS; turn += 1) {
    yield* Effect.sleep(chance.wait(20 * SECOND))
    const times = chance.hits(0.5) ? chance.int(2, 4) : 1
    const acts = Array.from({ length: times }, () => again(chance.hits(0.5)))
    if (chance.hits(0.4)) acts.push(wrong())
    yield* atOnce(acts)
    const known = scene.auditor.model.know(challenges).of(id)
    const until = (known?.redeemed_at ?? 0) + (known?.valid_seconds ?? 0) * SECOND
    const left = until - scene.stage.now()
    if (left > 0 && chance.hits(0.7)) yield* Effect.sleep(left + chance.int(-1, 1))
  }
  // It is shown once more when the faults have ended, whatever its outcome.
  scene.later.push(Effect.asVoid(again(false)))
})

/** Visitors of paid endpoints, who get a 402, pay, and show their proofs. */
export const paidEndpoints: Part = {
  name: "paid endpoints",
  heavy: 0.15,
  rules: challengeRules,
  knowledge: [challenges],
  errands: (scene) => [
    Effect.gen(function* () {
      const plans = [...SOLD, ...SOLD.slice(0, 1)]
      const demands = plans.map((plan, n) => demand(scene, n, plan))
      const asked = yield* Effect.all(demands, { concurrency: "unbounded" })
      yield* atOnce(
        asked.map((one, n) =>
          one === undefined ? Effect.void : visit(scene, one, asked[n === 0 ? 1 : 0]),
        ),
      )
    }),
  ],
}
