import { Schema } from "effect"
import { Amount, Timestamp } from "./Wire.ts"

const pendingRevocation = {
  target_type: "access_token",
  target_id: "tok_8F3a",
  scope: "read:detail",
  status: "pending",
} as const

const Revocation = Schema.Struct({
  target_type: Schema.String,
  target_id: Schema.String,
  scope: Schema.String,
  status: Schema.Literals(["pending", "revoked", "failed", "expired"]),
  revoked_at: Schema.optionalKey(Timestamp),
  error: Schema.optionalKey(
    Schema.Struct({ code: Schema.String, message: Schema.String }),
  ).annotate({
    description: "Why it failed.",
  }),
}).annotate({
  identifier: "Revocation",
  description: "An access that a refund takes back.",
  examples: [pendingRevocation],
})

/** A refund as the participants of its payment see it (Refund). */
export const Refund = Schema.Struct({
  id: Schema.String.annotate({ description: "`ref_` and a UUID." }),
  payment_intent: Schema.String.annotate({ description: "The refunded payment." }),
  amount: Amount,
  status: Schema.Literals(["pending", "succeeded", "failed"]).annotate({
    description: "pending until the channel has confirmed or rejected it; ask again with GET.",
  }),
  reason: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String),
  channel: Schema.String,
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
  revocations: Schema.Array(Revocation).annotate({
    description: "What is taken back with the money, once the channel has confirmed that.",
  }),
  revocation_batch_status: Schema.optionalKey(Schema.Literal("completed")).annotate({
    description: "When each revocation is revoked or has failed.",
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
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
      revocations: [pendingRevocation],
      created_at: "2026-01-31T08:00:00.000Z",
      updated_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})
