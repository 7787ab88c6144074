import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import type { Ids } from "../ports/Ids.ts"
import { type Timestamp, toIso } from "../shared/Timestamp.ts"
import type { Event, EventType } from "./Event.ts"

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
        occurred_at: toIso("ended_at" in intent ? intent.ended_at : at),
        metadata: intent.metadata,
      }

/**
 * The events of a move, one for the log of the payee's account and one for the creator's if that is
 * another. Only the payee's has a receiver, the service's endpoint: it is due at once.
 */
export const paymentEvents = (
  intent: PaymentIntent,
  types: ReadonlyArray<EventType>,
  ids: Ids["Service"],
  at: Timestamp,
): ReadonlyArray<Event> => {
  const accounts = new Set([intent.payee_account_id, intent.account_id])
  return types.flatMap((type) =>
    [...accounts].map((account_id): Event => ({
      id: `evt_${ids.uuid()}`,
      version: 1,
      account_id,
      type,
      service_id: intent.service_id,
      subject_id: intent.id,
      data: paymentEventData(intent, at),
      created_at: at,
      due_at: account_id === intent.payee_account_id ? at : null,
    })),
  )
}
