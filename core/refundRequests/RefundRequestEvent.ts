import { Schema } from "effect"
import { shownAs } from "../shared/View.ts"
import type { Happening } from "../webhooks/events/Event.ts"
import type { RefundRequest } from "./RefundRequest.ts"
import { RefundRequestView } from "./RefundRequestView.ts"

/** The events that tell of a refund request. */
export type RefundRequestEventType = "refund.requested" | "refund.declined" | "refund.withdrawn"

const { amount, decline_reason, expires_at, id, payment_intent, reason, service_id, status } =
  RefundRequestView.fields

/** The `data` of a refund request's events. */
export const RefundAsked = Schema.Struct({
  id,
  payment_intent,
  service_id,
  status,
  amount,
  reason,
  decline_reason,
  expires_at,
})

/**
 * What is told of a refund request: to the payee that it was made or withdrawn, to the buyer that
 * it was declined or has expired. An approved one is told of by its refund's own events.
 */
export const refundRequestHappening = (
  request: RefundRequest,
  type: RefundRequestEventType,
): Happening => ({
  type,
  accounts: [type === "refund.declined" ? request.account_id : request.payee_account_id],
  service_id: request.service_id,
  subject_id: request.id,
  data: shownAs(RefundAsked, request),
})

declare module "../webhooks/events/Event.ts" {
  interface EventData extends Readonly<Record<RefundRequestEventType, typeof RefundAsked.Type>> {}
}
