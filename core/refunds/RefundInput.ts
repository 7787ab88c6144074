import { Schema } from "effect"
import { PayableAmount } from "../shared/Money.ts"
import { RevokeInput } from "../revocations/RevokeInput.ts"
import type { FieldRules } from "../shared/Decode.ts"
import * as Text from "../shared/Text.ts"

const Reason = Text.block(256)

/** The body of `POST /v1/refunds` (Refunds and revocations). */
export const CreateRefundInput = Schema.Struct({
  payment_intent: Text.line(64),
  amount: Schema.optionalKey(PayableAmount),
  reason: Schema.optionalKey(Reason),
  description: Schema.optionalKey(Text.description(1024)),
  revoke: Schema.optionalKey(RevokeInput),
})
export type CreateRefundInput = typeof CreateRefundInput.Type

/** The body of `POST /v1/payment-intents/{id}/refund` (Request Payment). */
export const RefundIntentInput = Schema.Struct({
  reason: Schema.optionalKey(Reason),
  amount: Schema.optionalKey(PayableAmount),
})
export type RefundIntentInput = typeof RefundIntentInput.Type

/** A bad amount has a code of its own (Errors). */
export const refundRules = { codes: { amount: "INVALID_AMOUNT" } } satisfies FieldRules
