import { Schema } from "effect"
import { PROOF_COUNTERS } from "../installs/Budget.ts"
import type { Invoice } from "../invoices/Invoice.ts"
import type { Subscription } from "../invoices/Subscription.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { remaining } from "../payments/Refunded.ts"
import * as Text from "../shared/Text.ts"
import { IsoTime, MINUTE, type Timestamp, utcDay } from "../shared/Timestamp.ts"
import { Time } from "../shared/Wire.ts"

/** How long a proof of a subscription is valid, in milliseconds. */
export const PROOF_SHOWN = 5 * MINUTE

/** The seller's challenge, in its own words. */
const Asked = Text.line(256).annotateKey({
  description:
    "The seller's challenge, unique to a request. The proof is valid only for this challenge.",
})

/** The body of `POST /v1/subscriptions/{id}/proofs`. */
export const ProveSubscriptionInput = Schema.Struct({ challenge: Asked })
export type ProveSubscriptionInput = typeof ProveSubscriptionInput.Type

/** The body of `POST /v1/subscriptions/{id}/redeem`. */
export const RedeemSubscriptionInput = Schema.Struct({
  service_id: Text.line(64).annotateKey({ description: "The id of the requested service." }),
  plan_id: Text.line(64).annotateKey({ description: "The plan's id within its service." }),
  challenge: Asked,
  token: Text.line(256).annotateKey({ description: "The token of the proof." }),
  expires_at: IsoTime.annotateKey({ description: "When the proof expires." }),
})
export type RedeemSubscriptionInput = typeof RedeemSubscriptionInput.Type

/** A proof as the subscriber sees it. */
export const SubscriptionProofView = Schema.Struct({
  subscription: Schema.String.annotateKey({ description: "The subscription's id." }),
  token: Schema.String.annotateKey({
    description: "The secret that proves the subscription to its seller, once, for this challenge.",
  }),
  expires_at: Time.annotateKey({ description: "When the proof expires." }),
}).annotate({
  identifier: "SubscriptionProof",
  description: "A proof of an active subscription whose period is paid, for one challenge.",
  examples: [
    {
      subscription: "sub_01997d3e-8a00-7000-8000-000000000050",
      token: "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0",
      expires_at: "2026-01-31T08:05:00.000Z",
    },
  ],
})

/** An accepted proof as its seller sees it. */
export const SubscriptionRedemptionView = Schema.Struct({
  subscription: Schema.String.annotateKey({ description: "The subscription's id." }),
  plan_id: Schema.String.annotateKey({ description: "The plan's id within its service." }),
  payer: Schema.String.annotateKey({ description: "The subscribed agent." }),
  payment_intent: Schema.NullOr(Schema.String).annotateKey({
    description: "The payment of the current period; null for a free period.",
  }),
  redeemed_at: Time.annotateKey({ description: "When the proof was accepted." }),
  current_period_end: Time.annotateKey({ description: "The end of the paid period." }),
}).annotate({
  identifier: "SubscriptionRedemption",
  description: "The proof is valid: let the request through.",
  examples: [
    {
      subscription: "sub_01997d3e-8a00-7000-8000-000000000050",
      plan_id: "pro",
      payer: "agent_buyer_1",
      payment_intent: "pi_01997d3e-8a00-7000-8000-000000000020",
      redeemed_at: "2026-01-31T08:01:00.000Z",
      current_period_end: "2026-02-28T08:00:00.000Z",
    },
  ],
})

/**
 * Whether a subscription's current period is `paid`, and what is missing otherwise. The period of a
 * `lapsed` one has ended and no worker has begun the next one yet.
 */
export type SubscriptionStanding =
  | "paid"
  | "cancelled"
  | "past_due"
  | "lapsed"
  | "unpaid"
  | "refunded"

/** Tells whether the invoice is that of the current period. A free period has none. */
export const isOfPeriod = ({ period }: Subscription, invoice: Invoice | undefined): boolean =>
  invoice !== undefined && invoice.period === period

/**
 * Returns the {@link SubscriptionStanding}. `invoice` is the newest one, and `payment` the one that
 * paid it; a fully refunded payment proves nothing.
 */
export const subscriptionStanding = (
  subscription: Subscription,
  invoice: Invoice | undefined,
  payment: PaymentIntent | undefined,
  now: Timestamp,
): SubscriptionStanding => {
  if (subscription.status !== "active") return subscription.status
  if (now >= subscription.current_period_end) return "lapsed"
  if (invoice === undefined || !isOfPeriod(subscription, invoice)) return "paid"
  // Its seller has forgiven it: the period is free.
  if (invoice.status === "void") return "paid"
  if (invoice.status !== "paid") return "unpaid"
  return payment !== undefined && remaining(payment) === 0 ? "refunded" : "paid"
}

/** Returns the text that a token is the HMAC of: the subscription, the challenge and the expiry. */
export const proofText = (subscription: string, challenge: string, until: Timestamp): string =>
  JSON.stringify(["subscription proof", subscription, challenge, until])

/** Returns the name of the counter by which a proof is accepted once. */
export const proofCounter = (token_hash: string, until: Timestamp): string =>
  `${PROOF_COUNTERS}${token_hash}:${utcDay(until)}`
