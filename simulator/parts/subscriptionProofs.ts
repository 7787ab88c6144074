import { Effect, Exit } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import type { Subscription } from "../../core/invoices/Subscription.ts"
import { MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import { cancelSubscription } from "../../core/subscriptions/cancelSubscription.ts"
import {
  proveSubscription,
  redeemSubscription,
} from "../../core/subscriptions/proveSubscription.ts"
import type { RedeemSubscriptionInput } from "../../core/subscriptions/SubscriptionProof.ts"
import { billing } from "../auditor/Billing.ts"
import {
  subscriptionProofRules,
  subscriptionProofs as known,
} from "../auditor/invariants/subscriptionProofs.ts"
import type { Chance } from "../random/Chance.ts"
import { atOnce } from "../world/atOnce.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { SUBSCRIBED } from "./subscribers.ts"

/** How often each subscriber visits the seller's endpoint. */
const TURNS = 6

/** A subscriber, and the seller whose endpoint it visits. */
interface Visitor {
  readonly buyer: Caller
  readonly seller: Caller
  readonly chance: Chance
}

type Proof = Pick<RedeemSubscriptionInput, "expires_at" | "token">

/** Requests a proof as the subscriber, for a challenge of the seller. */
const prove = Effect.fnUntraced(function* (
  { auditor, client, stage }: Scene,
  { buyer }: Visitor,
  { id }: Subscription,
  challenge: string,
) {
  const body = { challenge }
  const made = Effect.tap(proveSubscription(buyer, id, body), ({ token }) =>
    Effect.sync(() =>
      auditor.see("proof_given", id, { subscription: id, challenge, token, at: stage.now() }),
    ),
  )
  const route = `POST /v1/subscriptions/${id}/proofs`
  const answer = yield* client.send({ caller: buyer, route, body, key: null, verb: made })
  return answer as Proof | undefined
})

/** Redeems a shown proof as the seller. */
const redeem = (
  { auditor, client, stage }: Scene,
  { seller }: Visitor,
  id: string,
  shown: RedeemSubscriptionInput,
) => {
  const verb = Effect.suspend(() => {
    const asked_at = stage.now()
    return Effect.onExit(redeemSubscription(seller, id, shown), (exit) =>
      Effect.sync(() => {
        if (Exit.isFailure(exit)) return
        auditor.see("subscribed", id, { subscription: id, shown, asked_at })
      }),
    )
  })
  const route = `POST /v1/subscriptions/${id}/redeem`
  return client.send({ caller: seller, route, body: shown, key: null, verb })
}

/** Returns a request that is similar to the proof, but invalid. */
const misuse = (shown: RedeemSubscriptionInput, chance: Chance): RedeemSubscriptionInput =>
  chance.pick([
    { ...shown, challenge: `${shown.challenge} and more` },
    { ...shown, plan_id: "another" },
    { ...shown, token: `${shown.token.slice(0, -1)}${shown.token.endsWith("0") ? "1" : "0"}` },
    { ...shown, expires_at: "2099-01-01T00:00:00.000Z" },
  ])

const comeBy = Effect.fnUntraced(function* (scene: Scene, visitor: Visitor, n: number) {
  const { buyer, chance } = visitor
  const kept = scene.auditor.model.know(billing).keptBy(buyer.account.id)
  const subscription = kept[chance.int(0, Math.max(kept.length - 1, 0))]
  if (subscription === undefined) return
  const { id, plan_id, service_id } = subscription
  const challenge = `${buyer.account.agent_id} comes by ${n}`
  const proof = yield* prove(scene, visitor, subscription, challenge)
  if (proof === undefined) return
  const shown = { service_id, plan_id, challenge, token: proof.token, expires_at: proof.expires_at }
  if (chance.hits(0.2)) yield* Effect.sleep(chance.wait(5 * MINUTE))
  const times = chance.int(1, 3)
  const acts = Array.from({ length: times }, () => redeem(scene, visitor, id, shown))
  if (chance.hits(0.3)) acts.push(redeem(scene, visitor, id, misuse(shown, chance)))
  if (chance.hits(0.1)) acts.push(cancel(scene, visitor, id))
  yield* atOnce(acts)
  if (chance.hits(0.5)) yield* redeem(scene, visitor, id, shown)
})

const cancel = ({ client }: Scene, { buyer }: Visitor, id: string) => {
  const verb = cancelSubscription(buyer, id, { now: "true" })
  const route = `DELETE /v1/subscriptions/${id}`
  return client.send({ caller: buyer, route, body: { now: "true" }, key: null, verb })
}

const visit = Effect.fnUntraced(function* (scene: Scene, visitor: Visitor) {
  for (let turn = 0; turn < TURNS; turn += 1) {
    yield* Effect.sleep(visitor.chance.wait(MINUTE) + SECOND)
    yield* comeBy(scene, visitor, turn)
  }
})

/** Subscribers who prove what they have paid, if there are subscribers. */
export const provingSubscribers: Part = {
  name: "subscription proofs",
  rules: subscriptionProofRules,
  knowledge: [known],
  errands: (scene) => {
    const { people, stage } = scene
    const [seller] = people.sellers
    if (seller === undefined || !people.services.has(SUBSCRIBED)) return []
    return people.buyers.slice(0, 2).map((buyer) => {
      const chance = stage.chance(`proofs of ${buyer.account.agent_id}`)
      return visit(scene, { buyer, seller, chance })
    })
  },
}
