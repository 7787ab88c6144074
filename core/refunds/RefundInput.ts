import { Schema } from "effect"
import { PayableAmount } from "../shared/Money.ts"
import { RevokeInput } from "../revocations/RevokeInput.ts"
import type { FieldRules } from "../shared/Decode.ts"
import * as Text from "../shared/Text.ts"

const Reason = Text.block(256)

/** The body of `POST /v1/refunds` (Refunds and revocations). */
export const CreateRefundInput = Schema.Struct({
  payment_intent: Text.line(64).annotateKey({ description: "The payment's id." }),
  amount: Schema.optionalKey(PayableAmount).annotateKey({
    description: "How much goes back, in the payment's currency; without it, all that is left.",
  }),
  reason: Schema.optionalKey(Reason).annotateKey({
    description: "Why it is refunded; the payer sees it.",
  }),
  description: Schema.optionalKey(Text.description(1024)).annotateKey({
    description: "A note of the payee's own.",
  }),
  revoke: Schema.optionalKey(RevokeInput).annotateKey({
    description: "What the refund takes back of what was bought.",
  }),
})
export type CreateRefundInput = typeof CreateRefundInput.Type

/** The body of `POST /v1/payment-intents/{id}/refund` (Request Payment). */
export const RefundIntentInput = Schema.Struct({
  reason: Schema.optionalKey(Reason).annotateKey({
    description: "Why it is refunded; the payer sees it.",
  }),
  amount: Schema.optionalKey(PayableAmount).annotateKey({
    description: "How much goes back, in the payment's currency; without it, all that is left.",
  }),
})
export type RefundIntentInput = typeof RefundIntentInput.Type

/** A bad amount has its own error code (Errors). */
export const refundRules = { codes: { amount: "INVALID_AMOUNT" } } satisfies FieldRules
