import { Schema } from "effect"
import type { FieldRules } from "../shared/Decode.ts"
import { PayableAmount } from "../shared/Money.ts"
import { PageQuery } from "../shared/Page.ts"
import * as Text from "../shared/Text.ts"
import { REFUND_REQUEST_STATUSES } from "./RefundRequest.ts"

const Reason = Text.block(256)

/** The body of `POST /v1/refund-requests`. */
export const CreateRefundRequestInput = Schema.Struct({
  payment_intent: Text.line(64),
  amount: Schema.optionalKey(PayableAmount),
  reason: Reason,
})
export type CreateRefundRequestInput = typeof CreateRefundRequestInput.Type

/** The body of `POST /v1/refund-requests/{id}/approve`. */
export const ApproveRefundRequestInput = Schema.Struct({
  amount: Schema.optionalKey(PayableAmount),
})
export type ApproveRefundRequestInput = typeof ApproveRefundRequestInput.Type

/** The body of `POST /v1/refund-requests/{id}/decline`. */
export const DeclineRefundRequestInput = Schema.Struct({ reason: Reason })
export type DeclineRefundRequestInput = typeof DeclineRefundRequestInput.Type

/** The query of `GET /v1/refund-requests`. */
export const ListRefundRequestsQuery = Schema.Struct({
  payment_intent: Schema.optionalKey(Schema.NonEmptyString),
  status: Schema.optionalKey(Schema.Literals(REFUND_REQUEST_STATUSES)),
  ...PageQuery.fields,
})
export type ListRefundRequestsQuery = typeof ListRefundRequestsQuery.Type

/** A bad amount has a code of its own (Errors). */
export const refundRequestRules = { codes: { amount: "INVALID_AMOUNT" } } satisfies FieldRules
