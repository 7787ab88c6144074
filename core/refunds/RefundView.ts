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
  payment_intent: Schema.String.annotate({ description: "The id of the refunded payment." }),
  amount: Amount,
  status: Schema.Literals(["pending", "succeeded", "failed"]).annotate({
    description:
      "`pending` until the channel has confirmed or rejected the refund. Read it again with GET.",
  }),
  reason: Schema.NullOr(Schema.String).annotateKey({
    description: "Why it was refunded, in the payee's words.",
  }),
  description: Schema.NullOr(Schema.String).annotateKey({
    description: "The payee's own note; null for none.",
  }),
  channel: Schema.String.annotateKey({ description: "The channel's name, such as `wallet_a`." }),
  settlement: Schema.optionalKey(Amount).annotate({
    description: "The part of the settlement that the payee returns. Shown to the payee.",
  }),
  service_fee: Schema.optionalKey(Amount).annotate({
    description: "The part of the service fee that the payee gets back. Shown to the payee.",
  }),
  remaining_refundable: Schema.optionalKey(Amount).annotate({
    description: "The amount of the payment that can still be refunded. Only for partial refunds.",
  }),
  channel_reason: Schema.optionalKey(Schema.String).annotate({
    description: "Why the channel rejected the refund. Only for failed refunds.",
  }),
  revocations: Schema.Array(RevocationView).annotate({
    description: "The access that is revoked once the channel has confirmed the refund.",
  }),
  revocation_batch_status: Schema.optionalKey(Schema.Literal("completed")).annotate({
    description: "Present once every revocation has succeeded or failed.",
  }),
  created_at: Time.annotateKey({ description: "The time of creation." }),
  updated_at: Time.annotateKey({ description: "The time of the last change." }),
}).annotate({
  identifier: "Refund",
  description: "A refund of a payment to its payer, in part or in full.",
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
