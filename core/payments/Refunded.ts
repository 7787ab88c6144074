import { type Money, proportion, proportionUp } from "../shared/Money.ts"
import { type Capturable, shareOfLine, shareOfSettlement, takenValue } from "./Taken.ts"

/**
 * What has been given back of a payment or is set aside for that: the sums over its pending and
 * succeeded refunds, in minor units of each part's currency.
 */
export interface Refunded {
  readonly value: number
  readonly settlement: number
  readonly fx_spread: number
  readonly service_fee: number
  /** How many of those refunds were partial. */
  readonly partials: number
}

/** Shared by every new payment, and therefore frozen. */
export const NOTHING_REFUNDED: Refunded = Object.freeze({
  value: 0,
  settlement: 0,
  fx_spread: 0,
  service_fee: 0,
  partials: 0,
})

/** The fields of a payment that its refunds depend on. */
export interface Refundable extends Capturable {
  readonly settlement: Money
  readonly fees: { readonly service: Money; readonly fx_spread: Money } | null
  readonly refunded: Refunded
}

/** The parts of one refund. */
export interface Shares {
  readonly amount: Money
  readonly settlement: Money
  readonly fx_spread: Money
  readonly service_fee: Money
  readonly partial: boolean
}

/** Returns what can still be refunded, in minor units (Refund, remaining_refundable). */
export const remaining = (payment: Capturable & Pick<Refundable, "refunded">): number =>
  takenValue(payment) - payment.refunded.value

/**
 * Returns the parts of a refund of `value` minor units: the settlement, the exchange's spread and
 * the service fee in proportion, at the payment's own rate (Money and fees). The channel's network
 * fee is never refunded. A refund of less than all that was captured is partial, also the one that
 * takes the rest.
 *
 * Rounding starts from the sums each time. Therefore the refund that takes the rest of the payment
 * takes the rest of its parts too, whatever failed in between. What stays settled is rounded down
 * like every settlement. Otherwise paying and refunding could return more than was paid.
 */
export const sharesOf = (payment: Refundable, value: number): Shares => {
  const { amount, fees, refunded, settlement } = payment
  const taken = takenValue(payment)
  const to = refunded.value + value
  const further = (upTo: number, given: number): Money => ({
    currency: settlement.currency,
    value: Math.max(0, upTo - given),
  })
  const share = (whole: number) => proportion(shareOfLine(payment, whole), to, taken)
  const settled = shareOfSettlement(payment, settlement.value)
  return {
    amount: { currency: amount.currency, value },
    settlement: further(proportionUp(settled, to, taken), refunded.settlement),
    fx_spread: further(share(fees?.fx_spread.value ?? 0), refunded.fx_spread),
    service_fee: further(share(fees?.service.value ?? 0), refunded.service_fee),
    partial: value < taken,
  }
}

const add = (refunded: Refunded, shares: Shares, times: 1 | -1): Refunded => ({
  value: refunded.value + times * shares.amount.value,
  settlement: refunded.settlement + times * shares.settlement.value,
  fx_spread: refunded.fx_spread + times * shares.fx_spread.value,
  service_fee: refunded.service_fee + times * shares.service_fee.value,
  partials: refunded.partials + (shares.partial ? times : 0),
})

/** Returns the sums with a refund that has been begun. */
export const begun = (refunded: Refunded, shares: Shares): Refunded => add(refunded, shares, 1)

/** Returns the sums without a refund that has failed. */
export const undone = (refunded: Refunded, shares: Shares): Refunded => add(refunded, shares, -1)
