import { hasEnded, type PaymentIntent } from "../../../core/payments/PaymentIntent.ts"

/** The state of a payment for the wallet that holds one of its codes. */
export type Phase =
  /** The payer has yet to choose one of its channels. */
  | "choose"
  /** The payer is asked. */
  | "ask"
  /** Another channel's wallet has the payment. */
  | "elsewhere"
  /** The payment is approved, and the payee has yet to capture it. */
  | "approved"
  /** The money is on its way. */
  | "paying"
  | "paid"
  | "rejected"
  | "poor"
  | "failed"
  | "expired"
  | "cancelled"

/** Failures caused by the payer's own wallet. */
const OWN_FAILURES: { readonly [code: string]: Phase | undefined } = {
  PAYMENT_REJECTED: "rejected",
  INSUFFICIENT_BALANCE: "poor",
}

const askedBy = (intent: PaymentIntent, channel: string | undefined): Phase => {
  if (channel === undefined) return "choose"
  return intent.channel === null || intent.channel === channel ? "ask" : "elsewhere"
}

/** Returns the phase of a payment for the wallet of `channel`, if the code names one. */
export const phaseOf = (intent: PaymentIntent, channel: string | undefined): Phase => {
  switch (intent.status) {
    case "pending":
    case "qr_generated":
    case "scanning":
      return askedBy(intent, channel ?? intent.channel ?? undefined)
    case "authorized":
      return "approved"
    case "capturing":
    case "captured":
    case "debiting":
      return "paying"
    case "succeeded":
    case "completed":
      return "paid"
    case "failed":
      return OWN_FAILURES[intent.failure_code] ?? "failed"
    case "expired":
      return "expired"
    case "cancelled":
    case "voided":
      return "cancelled"
  }
}

/** Whether the phase can still change. */
export const isLive = (intent: PaymentIntent): boolean => !hasEnded(intent)
