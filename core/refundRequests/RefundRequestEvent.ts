import { Schema } from "effect"
import { shownAs } from "../shared/View.ts"
import type { Happening } from "../webhooks/events/Event.ts"
import type { RefundRequest } from "./RefundRequest.ts"
import { RefundRequestView } from "./RefundRequestView.ts"

/** The events that report a refund request. */
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
 * Returns the event of a refund request: for the payee if it was made or withdrawn, for the buyer
 * if it was declined or has expired. The refund's own events report an approval.
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
