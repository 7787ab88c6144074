import { type Fees, feesFrom, type Settlement } from "../pricing/Price.ts"
import { type Money, proportion, proportionUp } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"

/** A payment's amount, and the captured amount if it is less. */
export interface Capturable {
  readonly amount: Money
  /** In minor units of the amount's currency; absent if the whole amount is captured. */
  readonly capture_value?: number
}

/** Returns what a payee takes of a payment, in minor units. */
export const takenValue = ({ amount, capture_value }: Capturable): number =>
  capture_value ?? amount.value

/** Returns what a payee takes of a payment, in the payment's currency. */
export const takenAmount = (payment: Capturable): Money => ({
  currency: payment.amount.currency,
  value: takenValue(payment),
})

/** Returns the captured part's share of a line of fees, rounded half to even. */
export const shareOfLine = (payment: Capturable, value: number): number =>
  proportion(value, takenValue(payment), payment.amount.value)

/** Returns the captured part's settlement at the payment's rate, rounded down like the whole. */
export const shareOfSettlement = (payment: Capturable, value: number): number =>
  value - proportionUp(value, payment.amount.value - takenValue(payment), payment.amount.value)

/** Returns what a captured part counts against a limit, given the whole's count. Rounds up. */
export const shareOfLimit = (payment: Capturable, counted: number): number =>
  proportionUp(counted, takenValue(payment), payment.amount.value)

/** The settlement and fees of a payment's captured amount. */
export interface Taken {
  readonly amount: Money
  readonly settlement: Settlement
  readonly fees: Fees | null
}

/**
 * Returns what a payee gets for a payment: all of it, or the captured part with its shares of the
 * settlement and of each fee, at the payment's rate and prices. A capture of the whole with a
 * refund of the rest leaves the same, except for the channel's fee, which is on what it took.
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

/** Returns the captured amount if it is less than the payment's amount. */
export const capturedInPart = (
  payment: Capturable & { readonly captured_at?: Timestamp },
): Money | undefined =>
  payment.captured_at === undefined || payment.capture_value === undefined
    ? undefined
    : takenAmount(payment)
