import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import { knowledge } from "../Knowledge.ts"
import type { Model } from "../Model.ts"
import type { Finding, Observations, Rule, Rulebook } from "../Observation.ts"
import { decimalsOf, fraction } from "./exchange.ts"
import type { Stamps } from "./lifecycle.ts"
import { settledFor, takenValue } from "./taken.ts"

/** The sum of payments at one rate, less their refunds. */
interface Sum {
  paid: bigint
  settled: bigint
  /** How many of them have a failed refund: its part is settled with the next refund. */
  uneven: number
}

/** The sums of payments by currencies and rate. */
export const splits = knowledge("splits", Map<string, Sum>)

const isUneven = ({ id }: PaymentIntent, seen: Observations["intent"], model: Model): boolean => {
  const refunds = model.refundsOf(id, seen.commit)
  return refunds.some(({ status }) => status === "failed")
}

/** Whether a capture has just taken less than the amount. */
const isNewPart = (before: PaymentIntent, after: PaymentIntent): boolean =>
  takenValue(after) < after.amount.value &&
  (after as Stamps).captured_at !== undefined &&
  (before as Stamps).captured_at === undefined

/**
 * Checks that refunds take their share of the settlement back, rounded up: exactly, or with the
 * rounding of each once one of them has failed.
 */
const shareBack = ({ after, commit }: Observations["intent"], model: Model): Finding => {
  const { settlement, value } = after.refunded
  const refunds = model.refundsOf(after.id, commit)
  const isEven = refunds.every(({ status }) => status !== "failed")
  const product = BigInt(settledFor(after)) * BigInt(value)
  const whole = BigInt(takenValue(after))
  const share = Number((product + whole - 1n) / whole)
  return Math.abs(settlement - share) > (isEven ? 0 : refunds.length)
    ? `takes ${settlement} back for ${value}, not ${share}`
    : undefined
}

/** Checks that the parts of a split amount settle to no more than the whole, refunds included. */
const neverMore: Rule<"intent"> = (seen, model) => {
  const { after, before } = seen
  const { amount, settlement } = after
  const { currency, rate } = settlement
  if (currency === amount.currency) return undefined
  if (settlement.value < 1) return "settles to nothing"
  const known = model.know(splits)
  const name = `${amount.currency} ${currency} ${rate}`
  const sum = known.get(name) ?? { paid: 0n, settled: 0n, uneven: 0 }
  known.set(name, sum)
  if (before === undefined) {
    sum.paid += BigInt(amount.value)
    sum.settled += BigInt(settlement.value)
  } else if (isNewPart(before, after)) {
    sum.paid -= BigInt(amount.value - takenValue(after))
    sum.settled -= BigInt(settlement.value - settledFor(after))
  } else if (before.refunded.value !== after.refunded.value) {
    sum.paid -= BigInt(after.refunded.value - before.refunded.value)
    sum.settled -= BigInt(after.refunded.settlement - before.refunded.settlement)
    if (isUneven(after, seen, model)) sum.uneven += 1
  }
  const [over, under] = fraction(rate)
  const above = sum.paid * over * 10n ** decimalsOf(currency)
  const most = above / (under * 10n ** decimalsOf(amount.currency)) + BigInt(sum.uneven)
  return sum.settled > most
    ? `brings ${sum.paid} ${amount.currency} to ${sum.settled} ${currency} and not to ${most}`
    : undefined
}

/** The rules about the sums of many payments. */
export const splitRules: Rulebook = {
  87: { intent: (seen, model) => shareBack(seen, model) ?? neverMore(seen, model) },
}
