// Written independently of core/payments and core/refunds on purpose: see Model.ts.

import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import type { Refund } from "../../../core/refunds/Refund.ts"
import type { Event } from "../../../core/webhooks/events/Event.ts"
import { difference } from "../saysTheSame.ts"
import type { Finding } from "../Observation.ts"
import { settledFor, takenValue } from "./taken.ts"

type Facts = { readonly [field: string]: unknown }

/** Returns how an event's data differ from these facts; a missing field counts as null. */
const differing = (facts: Facts, { data, type }: Event): Finding => {
  const said: Facts = data
  for (const [field, fact] of Object.entries(facts)) {
    const differs = difference({ [field]: fact }, { [field]: said[field] ?? null })
    if (differs !== undefined) return `tells ${type} with ${differs}`
  }
  return undefined
}

/** Returns the part that was captured, as it is told: null for all of it, and without a capture. */
const capturedPart = (intent: PaymentIntent) => {
  const isCaptured = "captured_at" in intent && intent.captured_at !== undefined
  const value = takenValue(intent)
  return isCaptured && value < intent.amount.value ? { ...intent.amount, value } : null
}

/** Checks that the event of a payment's end has the payment's facts. */
export const saysPayment = (intent: PaymentIntent, event: Event): Finding => {
  const { amount, channel, id, invoice, metadata, service_id, settlement, status } = intent
  const facts = { id, service_id, amount, channel, invoice, metadata }
  const captured_amount = capturedPart(intent)
  if (event.type !== "payment_intent.succeeded") {
    return differing({ ...facts, captured_amount, status }, event)
  }
  const { currency, rate } = settlement
  const settled = { currency, value: settledFor(intent), rate: Number(rate) }
  return differing({ ...facts, captured_amount, settlement: settled }, event)
}

/** Checks that the event of a refund's end has the refund's facts. */
export const saysRefund = (refund: Refund, event: Event): Finding => {
  const { amount, channel, id, payment_intent, reason, service_id, status } = refund
  return differing({ id, payment_intent, service_id, status, amount, channel, reason }, event)
}
