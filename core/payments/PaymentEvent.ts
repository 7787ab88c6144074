import type { PaymentIntent } from "./PaymentIntent.ts"
import type { IdSource } from "../shared/Id.ts"
import { type Timestamp, toIso } from "../shared/Timestamp.ts"
import { type Event, eventsFor, type EventType } from "../webhooks/events/Event.ts"

const succeeded = (
  intent: Extract<PaymentIntent, { status: "succeeded" | "completed" }>,
): Event["data"] => {
  const { currency, value, rate } = intent.settlement
  return {
    id: intent.id,
    service_id: intent.service_id,
    amount: intent.amount,
    settlement: { currency, value, rate: Number(rate) },
    channel: intent.channel,
    channel_txn_id: intent.channel_txn_id,
    succeeded_at: toIso(intent.succeeded_at),
    ...(intent.status === "completed" && { auto_paid: intent.auto_paid }),
    ...(intent.invoice !== null && { invoice: intent.invoice }),
    metadata: intent.metadata,
  }
}

/**
 * The `data` of the event that tells what became of a payment (Events). Everything but success has
 * the same fields; a voided payment is told as cancelled and keeps its own `status`.
 */
export const paymentEventData = (intent: PaymentIntent, at: Timestamp): Event["data"] =>
  intent.status === "succeeded" || intent.status === "completed"
    ? succeeded(intent)
    : {
        id: intent.id,
        service_id: intent.service_id,
        status: intent.status,
        amount: intent.amount,
        channel: intent.channel,
        ...(intent.status === "failed" && {
          failure_code: intent.failure_code,
          failure_message: intent.failure_message,
        }),
        ...(intent.invoice !== null && { invoice: intent.invoice }),
        occurred_at: toIso("ended_at" in intent ? intent.ended_at : at),
        metadata: intent.metadata,
      }

/** The events of a move, for the logs of the payee's account and the creator's if another. */
export const paymentEvents = (
  intent: PaymentIntent,
  types: ReadonlyArray<EventType>,
  ids: IdSource,
  at: Timestamp,
): ReadonlyArray<Event> =>
  types.flatMap((type) => {
    const accounts = [intent.payee_account_id, intent.account_id]
    const data = paymentEventData(intent, at)
    const { id: subject_id, service_id } = intent
    return eventsFor({ type, accounts, service_id, subject_id, data }, ids, at)
  })
