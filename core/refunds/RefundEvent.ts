import { Schema } from "effect"
import { toIso } from "../shared/Timestamp.ts"
import { shownAs } from "../shared/View.ts"
import { Time } from "../shared/Wire.ts"
import type { Happening } from "../webhooks/events/Event.ts"
import type { Refund } from "./Refund.ts"
import { RefundView } from "./RefundView.ts"

/** The events that report a refund's end (Events). */
export type RefundEventType = "refund.succeeded" | "refund.failed"

const { amount, channel, channel_reason, id, payment_intent, reason, status } = RefundView.fields

/** The `data` of a refund's events. */
export const RefundEnded = Schema.Struct({
  id,
  payment_intent,
  service_id: Schema.String.annotateKey({ description: "The service's id." }),
  status,
  amount,
  reason,
  channel,
  channel_reason,
  occurred_at: Time.annotateKey({ description: "When the refund ended." }),
})

/** Returns the event of a refund's end, for the payee and the payment's creator (Events). */
export const refundHappening = (refund: Refund, type: RefundEventType): Happening => ({
  type,
  accounts: [refund.payee_account_id, refund.account_id],
  service_id: refund.service_id,
  subject_id: refund.id,
  data: shownAs(RefundEnded, refund, { occurred_at: toIso(refund.updated_at) }),
})

declare module "../webhooks/events/Event.ts" {
  interface EventData extends Readonly<Record<RefundEventType, typeof RefundEnded.Type>> {}
}
