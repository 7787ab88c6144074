import { hasEnded, type PaymentIntent } from "../../../core/payments/PaymentIntent.ts"

/** Where a payment stands for the wallet that holds one of its codes. */
export type Phase =
  /** Its payer has yet to choose one of its channels. */
  | "choose"
  /** Its payer is asked. */
  | "ask"
  /** Another channel's wallet has it. */
  | "elsewhere"
  /** It is approved, and the payee has yet to take the money. */
  | "approved"
  /** The money is on its way. */
  | "paying"
  | "paid"
  | "rejected"
  | "poor"
  | "failed"
  | "expired"
  | "cancelled"

/** Failures that the payer's own wallet brought about. */
const OWN_FAILURES: { readonly [code: string]: Phase | undefined } = {
  PAYMENT_REJECTED: "rejected",
  INSUFFICIENT_BALANCE: "poor",
}

const askedBy = (intent: PaymentIntent, channel: string | undefined): Phase => {
  if (channel === undefined) return "choose"
  return intent.channel === null || intent.channel === channel ? "ask" : "elsewhere"
}

/** The phase of a payment for the wallet of `channel`, if the code says which that is. */
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

/** Whether the phase can change by itself. */
export const isLive = (intent: PaymentIntent): boolean => !hasEnded(intent)
