import { toIso } from "../../shared/Timestamp.ts"
import type { Delivery } from "./Delivery.ts"
import { type Happening, isDeliveryEvent } from "../events/Event.ts"

const attemptAt = ({ at, attempt, status }: Delivery["attempts"][number]) => ({
  attempt,
  status,
  at: toIso(at),
})

const told = (delivery: Delivery): Pick<Happening, "type" | "data"> | undefined => {
  const { attempts, endpoint_id, event_id, status } = delivery
  const about = { endpoint_id, event_id, attempts: attempts.length }
  switch (status) {
    case "delivered":
      return { type: "webhook.delivery.succeeded", data: { ...about, status } }
    case "pending": {
      const next_attempt_at = toIso(delivery.due_at ?? delivery.created_at)
      return { type: "webhook.delivery.retrying", data: { ...about, status, next_attempt_at } }
    }
    case "failed": {
      const failures = attempts.map(attemptAt)
      const data = { ...about, failures, final_status: status }
      return {
        type: "webhook.delivery.failed",
        data: delivery.error === null ? data : { ...data, error: delivery.error },
      }
    }
    default:
      return undefined
  }
}

/**
 * What the account's log is told after an attempt (Events); undefined of one that was skipped, and
 * of the delivery of an event that tells of a delivery itself.
 */
export const deliveryReport = (delivery: Delivery): Happening | undefined => {
  const report = isDeliveryEvent(delivery.event_type) ? undefined : told(delivery)
  return (
    report && {
      ...report,
      accounts: [delivery.account_id],
      service_id: delivery.service_id,
      subject_id: delivery.id,
    }
  )
}
