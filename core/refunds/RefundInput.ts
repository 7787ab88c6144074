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
    description: "The amount to refund, in the payment's currency. Default: all that is left.",
  }),
  reason: Schema.optionalKey(Reason).annotateKey({
    description: "The reason for the refund. The payer sees it.",
  }),
  description: Schema.optionalKey(Text.description(1024)).annotateKey({
    description: "The payee's own note.",
  }),
  revoke: Schema.optionalKey(RevokeInput).annotateKey({
    description: "The purchased access that the refund revokes.",
  }),
})
export type CreateRefundInput = typeof CreateRefundInput.Type

/** The body of `POST /v1/payment-intents/{id}/refund` (Request Payment). */
export const RefundIntentInput = Schema.Struct({
  reason: Schema.optionalKey(Reason).annotateKey({
    description: "The reason for the refund. The payer sees it.",
  }),
  amount: Schema.optionalKey(PayableAmount).annotateKey({
    description: "The amount to refund, in the payment's currency. Default: all that is left.",
  }),
})
export type RefundIntentInput = typeof RefundIntentInput.Type

/** A bad amount has its own error code (Errors). */
export const refundRules = { codes: { amount: "INVALID_AMOUNT" } } satisfies FieldRules
