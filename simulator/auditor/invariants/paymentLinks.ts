// Written independently of core/market on purpose: see Model.ts.

import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"

/** Returns a status as clients see it. */
export const seenAs = (status: string): string =>
  status === "capturing" ? "authorized" : status === "debiting" ? "pending" : status

/** Returns the link by which a person can still pay a payment. */
export const linkOf = (payment: PaymentIntent): string | undefined => {
  const { channel, flow, offers, status } = payment
  if (flow === "one_time_pay") {
    return seenAs(status) === "pending" ? (payment.deeplink ?? undefined) : undefined
  }
  const isOpen = ["pending", "qr_generated", "scanning"].includes(seenAs(status))
  return isOpen ? offers.find((offer) => offer.channel === channel)?.scan_url : undefined
}
