import { type Fees, feesFrom, type Settlement } from "../pricing/Price.ts"
import { type Money, proportion, proportionUp } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"

/** A payment's amount, and what of it is captured where that is less. */
export interface Capturable {
  readonly amount: Money
  /** In minor units of the amount's currency; absent where the whole is captured. */
  readonly capture_value?: number
}

/** What a payee takes of a payment, in minor units. */
export const takenValue = ({ amount, capture_value }: Capturable): number =>
  capture_value ?? amount.value

/** What a payee takes of a payment, in the payment's currency. */
export const takenAmount = (payment: Capturable): Money => ({
  currency: payment.amount.currency,
  value: takenValue(payment),
})

/** What the captured part has of a line of fees: its share, half to even. */
export const shareOfLine = (payment: Capturable, value: number): number =>
  proportion(value, takenValue(payment), payment.amount.value)

/** What the captured part settles to at the payment's own rate, rounded down like the whole. */
export const shareOfSettlement = (payment: Capturable, value: number): number =>
  value - proportionUp(value, payment.amount.value - takenValue(payment), payment.amount.value)

/** What a capture of a part counts of what the whole counts against a limit, rounded up. */
export const shareOfLimit = (payment: Capturable, counted: number): number =>
  proportionUp(counted, takenValue(payment), payment.amount.value)

/** What a payment comes to for its payee. */
export interface Taken {
  readonly amount: Money
  readonly settlement: Settlement
  readonly fees: Fees | null
}

/**
 * What a payment comes to for its payee: all of it, or what was captured with its shares of the
 * settlement and of each fee, at the rate and the prices of the payment. They are what a capture of
 * the whole and a refund of the rest would leave, save the channel's fee, which is on what it took.
 */
export const takenOf = (payment: Capturable & Taken): Taken => {
  const { amount, capture_value, fees, settlement } = payment
  if (capture_value === undefined) return { amount, settlement, fees }
  const line = ({ value }: Money) => shareOfLine(payment, value)
  return {
    amount: takenAmount(payment),
    settlement: { ...settlement, value: shareOfSettlement(payment, settlement.value) },
    fees:
      fees &&
      feesFrom(settlement.currency, line(fees.service), line(fees.fx_spread), line(fees.channel)),
  }
}

/** What was captured of a payment, where that is less than its amount. */
export const capturedInPart = (
  payment: Capturable & { readonly captured_at?: Timestamp },
): Money | undefined =>
  payment.captured_at === undefined || payment.capture_value === undefined
    ? undefined
    : takenAmount(payment)
