import { Schema } from "effect"
import { exactly } from "../shared/Exact.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"
import type { IdSource } from "../shared/Id.ts"
import { type Timestamp, toIso } from "../shared/Timestamp.ts"
import { type Event, type EventContent, eventsFor } from "../webhooks/events/Event.ts"
import { IntentView } from "./IntentView.ts"
import { Time } from "../shared/Wire.ts"
import { capturedInPart, takenOf } from "./Taken.ts"

/** The events that report the outcome of a payment (Events). */
export type PaymentEventType =
  | "payment_intent.succeeded"
  | "payment_intent.failed"
  | "payment_intent.expired"
  | "payment_intent.cancelled"

const { amount, captured_amount, channel, id, invoice, metadata } = IntentView.fields
const { service_id, settlement } = IntentView.fields
const { auto_paid, failure_code, failure_message } = IntentView.fields

/** The `data` of `payment_intent.succeeded`. */
export const PaymentSucceeded = Schema.Struct({
  id,
  service_id,
  amount,
  captured_amount,
  settlement,
  channel,
  channel_txn_id: Schema.String.annotateKey({
    description: "The channel's transaction number.",
  }),
  succeeded_at: Time.annotateKey({ description: "When the channel settled the payment." }),
  auto_paid,
  invoice,
  metadata,
})

/** The `data` of every other event of a payment. */
export const PaymentEnded = Schema.Struct({
  id,
  service_id,
  status: Schema.String.annotate({
    description: "The final state: failed, expired, cancelled or voided.",
  }),
  amount,
  captured_amount,
  channel,
  failure_code,
  failure_message,
  invoice,
  occurred_at: Time.annotateKey({ description: "When the payment ended." }),
  metadata,
})

type Paid = Extract<PaymentIntent, { status: "succeeded" | "completed" }>

const isPaid = (intent: PaymentIntent): intent is Paid =>
  intent.status === "succeeded" || intent.status === "completed"

/** Returns the captured amount if it is less than the whole amount. */
const capturedPart = (intent: PaymentIntent) => {
  const part = capturedInPart(intent)
  return part === undefined ? {} : { captured_amount: part }
}

const succeeded = exactly<typeof PaymentSucceeded.Type>()((intent: Paid) => {
  const { currency, value, rate } = takenOf(intent).settlement
  return {
    id: intent.id,
    service_id: intent.service_id,
    amount: intent.amount,
    ...capturedPart(intent),
    settlement: { currency, value, rate: Number(rate) },
    channel: intent.channel,
    channel_txn_id: intent.channel_txn_id,
    succeeded_at: toIso(intent.succeeded_at),
    ...(intent.status === "completed" && { auto_paid: intent.auto_paid }),
    ...(intent.invoice !== null && { invoice: intent.invoice }),
    metadata: intent.metadata,
  }
})

const ended = exactly<typeof PaymentEnded.Type>()((intent: PaymentIntent, at: Timestamp) => ({
  id: intent.id,
  service_id: intent.service_id,
  status: intent.status,
  amount: intent.amount,
  ...capturedPart(intent),
  channel: intent.channel,
  ...(intent.status === "failed" && {
    failure_code: intent.failure_code,
    failure_message: intent.failure_message,
  }),
  ...(intent.invoice !== null && { invoice: intent.invoice }),
  occurred_at: toIso("ended_at" in intent ? intent.ended_at : at),
  metadata: intent.metadata,
}))

/**
 * Returns the event that reports the outcome of a payment (Events). All events but success have the
 * same fields. A voided payment is reported as cancelled and keeps its own `status`.
 */
const contentOf = (
  intent: PaymentIntent,
  type: PaymentEventType,
  at: Timestamp,
): EventContent<PaymentEventType> | undefined => {
  if (type !== "payment_intent.succeeded") return { type, data: ended(intent, at) }
  return isPaid(intent) ? { type, data: succeeded(intent) } : undefined
}

/** Returns the events of a move, for the accounts of the payee and of the creator, if different. */
export const paymentEvents = (
  intent: PaymentIntent,
  types: ReadonlyArray<PaymentEventType>,
  ids: IdSource,
  at: Timestamp,
): ReadonlyArray<Event> =>
  types.flatMap((type) => {
    const content = contentOf(intent, type, at)
    const accounts = [intent.payee_account_id, intent.account_id]
    const about = { accounts, subject_id: intent.id, service_id: intent.service_id }
    return content === undefined ? [] : eventsFor({ ...content, ...about }, ids, at)
  })

declare module "../webhooks/events/Event.ts" {
  interface EventData extends Readonly<
    Record<Exclude<PaymentEventType, "payment_intent.succeeded">, typeof PaymentEnded.Type>
  > {
    readonly "payment_intent.succeeded": typeof PaymentSucceeded.Type
  }
}
