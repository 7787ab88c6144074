import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import type { RedeemInput } from "../../core/challenges/ChallengeInput.ts"
import type { ChallengeView } from "../../core/challenges/ChallengeView.ts"
import { openChallenge, payForResource } from "../../core/challenges/openChallenge.ts"
import { type ServicePlan, SERVICES } from "../world/people/Population.ts"
import type { Scene } from "../world/Stage.ts"

/** What a proof is valid for. */
export type Bound = Pick<RedeemInput, "amount" | "resource" | "service_id">

/** A service that one channel's QR code can pay. */
export const SOLD: ServicePlan =
  SERVICES.find(({ default_channel }) => default_channel !== null) ?? SERVICES[0]

/** The payment of a proof, and its payee. */
export interface Proven {
  readonly seller: Caller
  readonly bound: Bound
  readonly id: string
  readonly channel: string
  readonly token: string
}

/** Begins a payment: as the seller who requests it, or as the buyer whose own it is. */
export const begin = Effect.fnUntraced(function* (
  { client }: Scene,
  seller: Caller,
  bound: Bound,
  {
    buyer,
    idle_seconds,
    key,
  }: {
    readonly buyer: Caller | undefined
    readonly key: string
    /** For a deposit: after how many seconds without a draw its session is closed. */
    readonly idle_seconds?: number
  },
) {
  const body = { ...bound, ...(idle_seconds !== undefined && { idle_seconds }) }
  const made = (yield* client.send({
    caller: buyer ?? seller,
    route: buyer === undefined ? "POST /v1/payment-challenges" : "POST /v1/x402/payments",
    body: buyer === undefined ? body : bound,
    key,
    status: 201,
    verb: buyer === undefined ? openChallenge(seller, body) : payForResource(buyer, bound),
  })) as ChallengeView | undefined
  if (made === undefined) return undefined
  const { channel, id, token } = made.payment_intent
  const proven: Proven = { seller, bound, id, channel, token }
  return proven
})
