import { toIso } from "../shared/Timestamp.ts"
import type { EventType, Happening } from "../webhooks/events/Event.ts"
import type { Refund } from "./Refund.ts"

/** What is told of a refund's end, to the payee and to the payment's creator (Events). */
export const refundHappening = (refund: Refund, type: EventType): Happening => ({
  type,
  accounts: [refund.payee_account_id, refund.account_id],
  service_id: refund.service_id,
  subject_id: refund.id,
  data: {
    id: refund.id,
    payment_intent: refund.payment_intent,
    service_id: refund.service_id,
    status: refund.status,
    amount: refund.amount,
    reason: refund.reason,
    channel: refund.channel,
    ...(refund.status === "failed" && { channel_reason: refund.channel_reason }),
    occurred_at: toIso(refund.updated_at),
  },
})
