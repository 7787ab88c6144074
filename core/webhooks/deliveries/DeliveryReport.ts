import { Schema } from "effect"
import { toIso } from "../../shared/Timestamp.ts"
import type { Delivery } from "./Delivery.ts"
import { type EventContent, type Happening, isDeliveryEvent } from "../events/Event.ts"
import { Time } from "../../shared/Wire.ts"

const common = {
  endpoint_id: Schema.NullOr(Schema.String).annotateKey({
    description: "The endpoint's id; null for a service's own endpoint.",
  }),
  event_id: Schema.String.annotateKey({ description: "The id of the event to deliver." }),
  attempts: Schema.Int.annotate({ description: "The number of attempts made." }),
}

/** The `data` of `webhook.delivery.succeeded`. */
export const DeliverySucceeded = Schema.Struct({
  ...common,
  status: Schema.Literal("delivered").annotateKey({ description: "The current state." }),
})

/** The `data` of `webhook.delivery.retrying`. */
export const DeliveryRetrying = Schema.Struct({
  ...common,
  status: Schema.Literal("pending").annotateKey({ description: "The current state." }),
  next_attempt_at: Time.annotateKey({ description: "When the next attempt is made." }),
})

/** The `data` of `webhook.delivery.failed`. */
export const DeliveryFailed = Schema.Struct({
  ...common,
  failures: Schema.Array(
    Schema.Struct({
      attempt: Schema.Int.annotateKey({ description: "The number of the attempt, from 1." }),
      status: Schema.NullOr(Schema.Int).annotateKey({
        description: "The receiver's HTTP status; null without an answer.",
      }),
      at: Time.annotateKey({ description: "When the attempt was made." }),
    }),
  ).annotateKey({ description: "Each attempt with its result." }),
  final_status: Schema.Literal("failed").annotateKey({
    description: "Always `failed`. There are no further attempts.",
  }),
  error: Schema.optionalKey(Schema.String).annotateKey({ description: "Why there was no answer." }),
})

/** The `data` of `ping`. */
export const Ping = Schema.Struct({
  endpoint_id: Schema.String.annotateKey({ description: "The webhook endpoint's id." }),
})

const attemptAt = ({ at, attempt, status }: Delivery["attempts"][number]) => ({
  attempt,
  status,
  at: toIso(at),
})

const told = (delivery: Delivery): EventContent | undefined => {
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
 * Returns the event for the account's log after an attempt (Events). Returns undefined for a
 * skipped delivery, and for the delivery of an event that itself reports a delivery.
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

declare module "../events/Event.ts" {
  interface EventData {
    readonly "webhook.delivery.succeeded": typeof DeliverySucceeded.Type
    readonly "webhook.delivery.retrying": typeof DeliveryRetrying.Type
    readonly "webhook.delivery.failed": typeof DeliveryFailed.Type
    readonly ping: typeof Ping.Type
  }
}
