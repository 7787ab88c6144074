import { Schema } from "effect"
import type { FieldRules } from "../shared/Decode.ts"
import { PayableAmount } from "../shared/Money.ts"
import { PageQuery } from "../shared/Page.ts"
import * as Text from "../shared/Text.ts"
import { REFUND_REQUEST_STATUSES } from "./RefundRequest.ts"

/** The most characters of a reason. */
export const REASON_CHARACTERS = 256

const Reason = Text.block(REASON_CHARACTERS)

/** The body of `POST /v1/refund-requests`. */
export const CreateRefundRequestInput = Schema.Struct({
  payment_intent: Text.line(64).annotateKey({ description: "The payment's id." }),
  amount: Schema.optionalKey(PayableAmount).annotateKey({
    description: "The requested amount. Default: all that is left of the payment.",
  }),
  reason: Reason.annotateKey({
    description: "Why the buyer asks for a refund. The payee sees it.",
  }),
})
export type CreateRefundRequestInput = typeof CreateRefundRequestInput.Type

/** The body of `POST /v1/refund-requests/{id}/approve`. */
export const ApproveRefundRequestInput = Schema.Struct({
  amount: Schema.optionalKey(PayableAmount).annotateKey({
    description: "The amount to refund. Default: the requested amount.",
  }),
})
export type ApproveRefundRequestInput = typeof ApproveRefundRequestInput.Type

/** The body of `POST /v1/refund-requests/{id}/decline`. */
export const DeclineRefundRequestInput = Schema.Struct({
  reason: Reason.annotateKey({ description: "Why the request is declined. The buyer sees it." }),
})
export type DeclineRefundRequestInput = typeof DeclineRefundRequestInput.Type

/** The query of `GET /v1/refund-requests`. */
export const ListRefundRequestsQuery = Schema.Struct({
  payment_intent: Schema.optionalKey(Schema.NonEmptyString).annotateKey({
    description: "Only requests about this payment.",
  }),
  status: Schema.optionalKey(Schema.Literals(REFUND_REQUEST_STATUSES)).annotateKey({
    description: "Only requests in this state.",
  }),
  ...PageQuery.fields,
})
export type ListRefundRequestsQuery = typeof ListRefundRequestsQuery.Type

/** A bad amount has its own error code (Errors). */
export const refundRequestRules = { codes: { amount: "INVALID_AMOUNT" } } satisfies FieldRules
