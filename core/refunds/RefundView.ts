import { Schema } from "effect"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import {
  exampleRevocation,
  type Revocation,
  revocationsView,
  RevocationView,
} from "../revocations/Revocation.ts"
import { shownAs } from "../shared/View.ts"
import { Amount, Time } from "../shared/Wire.ts"
import type { Refund } from "./Refund.ts"
import { remaining } from "../payments/Refunded.ts"

/** A refund as the participants of its payment see it (Refund). */
export const RefundView = Schema.Struct({
  id: Schema.String.annotate({ description: "`ref_` and a UUID." }),
  payment_intent: Schema.String.annotate({ description: "The refunded payment." }),
  amount: Amount,
  status: Schema.Literals(["pending", "succeeded", "failed"]).annotate({
    description: "pending until the channel has confirmed or rejected it; ask again with GET.",
  }),
  reason: Schema.NullOr(Schema.String).annotateKey({
    description: "Why it was refunded, in the payee's words.",
  }),
  description: Schema.NullOr(Schema.String).annotateKey({
    description: "A note of the payee's own; null without one.",
  }),
  channel: Schema.String.annotateKey({ description: "A channel by its name, such as `wallet_a`." }),
  settlement: Schema.optionalKey(Amount).annotate({
    description: "What the payee gives back of its settlement; shown to the payee.",
  }),
  service_fee: Schema.optionalKey(Amount).annotate({
    description: "What the payee gets back of the service fee; shown to the payee.",
  }),
  remaining_refundable: Schema.optionalKey(Amount).annotate({
    description: "What is left of the payment to be refunded now; with partial refunds.",
  }),
  channel_reason: Schema.optionalKey(Schema.String).annotate({
    description: "Why the channel rejected it; with failed refunds.",
  }),
  revocations: Schema.Array(RevocationView).annotate({
    description: "What is taken back with the money, once the channel has confirmed that.",
  }),
  revocation_batch_status: Schema.optionalKey(Schema.Literal("completed")).annotate({
    description: "When each revocation is revoked or has failed.",
  }),
  created_at: Time.annotateKey({ description: "When it was made." }),
  updated_at: Time.annotateKey({ description: "When it was last changed." }),
}).annotate({
  identifier: "Refund",
  description: "Money of a payment that goes back to its payer.",
  examples: [
    {
      id: "ref_01997d3e-8a00-7000-8000-000000000030",
      payment_intent: "pi_01997d3e-8a00-7000-8000-000000000020",
      amount: { currency: "USD", value: 200 },
      status: "pending",
      reason: "Not delivered",
      description: null,
      channel: "wallet_a",
      settlement: { currency: "USD", value: 200 },
      service_fee: { currency: "USD", value: 1 },
      remaining_refundable: { currency: "USD", value: 499 },
      revocations: [exampleRevocation],
      created_at: "2026-01-31T08:00:00.000Z",
      updated_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})

/**
 * Returns the refund in the wire's shape, as the account `viewer` sees it. A partial refund shows
 * what the payment has left to refund now.
 */
export const view = (
  refund: Refund,
  intent: PaymentIntent,
  viewer: string,
  revocations: ReadonlyArray<Revocation>,
) => {
  const { service_fee: _fee, settlement: _settlement, ...open } = refund
  return shownAs(RefundView, viewer === refund.payee_account_id ? refund : open, {
    ...(refund.partial && {
      remaining_refundable: { currency: intent.amount.currency, value: remaining(intent) },
    }),
    ...revocationsView(revocations),
  })
}
