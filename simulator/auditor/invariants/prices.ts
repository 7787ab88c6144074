// Written independently of core/pricing on purpose: it computes prices a second time.

import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import type { Channel } from "../../../core/channels/Channel.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import type { FeeTable } from "../../../core/pricing/Price.ts"
import { billing } from "../Billing.ts"
import { knowledge } from "../Knowledge.ts"
import type { Model } from "../Model.ts"
import type { Rule, Rulebook } from "../Observation.ts"
import { decimalsOf, fraction, givenRates } from "./exchange.ts"

type Fees = NonNullable<PaymentIntent["fees"]>
type Row = keyof FeeTable

/** The price list, in parts per ten thousand. */
class PriceList {
  rows: FeeTable = {
    one_time: { service: 50, spread: { low: 30, middle: 55, high: 80 } },
    cumulative: { service: 30, spread: { low: 20, middle: 35, high: 50 } },
    subscription: { service: 50, spread: { low: 30, middle: 55, high: 80 } },
    stablecoin: { service: 30, spread: { low: 10, middle: 20, high: 30 } },
    cross_border: { service: 50, spread: { low: 30, middle: 75, high: 120 } },
  }
}

/** The prices of a world's service. */
export const priceList = knowledge("price list", PriceList)

const WIDELY_TRADED = ["USD", "EUR", "GBP", "JPY", "CNY"]

/** How many significant digits a rate has. */
const DIGITS = 12

type Fraction = readonly [over: bigint, under: bigint]

/** Rounds to the nearest whole number, and from the middle to the even one. */
const nearest = ([over, under]: Fraction): bigint => {
  const whole = over / under
  const twice = 2n * (over % under)
  return twice > under || (twice === under && whole % 2n === 1n) ? whole + 1n : whole
}

const timesTen = ([over, under]: Fraction, places: number): Fraction =>
  places >= 0 ? [over * 10n ** BigInt(places), under] : [over, under * 10n ** BigInt(-places)]

const digitsOf = (value: bigint): number => value.toString().length

/** Rounds a rate to its twelve digits; `round` rounds the remaining fraction. */
const withDigits = (exact: Fraction, round: (value: Fraction) => bigint): Fraction => {
  // By the lengths of both, the number of places is right or one too many.
  const near = DIGITS - digitsOf(exact[0]) + digitsOf(exact[1])
  const whole = ([over, under]: Fraction): bigint => over / under
  const places = digitsOf(whole(timesTen(exact, near))) > DIGITS ? near - 1 : near
  const kept = round(timesTen(exact, places))
  return timesTen([kept, 1n], -places)
}

const areEqual = (a: Fraction, b: Fraction): boolean => a[0] * b[1] === b[0] * a[1]

const channelNamed = (id: string | null): Channel | undefined =>
  defaultCatalog.find((channel) => channel.id === id)

/** Returns the price list's row for a payment on a channel, or on one still to be chosen. */
const rowOf = (intent: PaymentIntent, channel: Channel | undefined, model: Model): Row => {
  if (channel?.kind === "stablecoin") return "stablecoin"
  if (intent.amount.currency !== intent.settlement.currency) return "cross_border"
  if (intent.invoice === null) return "one_time"
  const invoice = model.know(billing).invoices.get(intent.invoice)
  return invoice?.subscription === null ? "cumulative" : "subscription"
}

/** Returns the spread between two currencies; no currency of this world is pegged to another. */
const spreadOf = (intent: PaymentIntent, channel: Channel | undefined, model: Model): number => {
  const { low, middle, high } = model.know(priceList).rows[rowOf(intent, channel, model)].spread
  const both = [intent.amount.currency, intent.settlement.currency]
  const widely = both.filter((currency) => WIDELY_TRADED.includes(currency)).length
  return widely === 2 ? low : widely === 1 ? middle : high
}

/** Returns how far a settlement at a rate is below two rates' middle; undefined for others. */
const lostAt = (
  { amount, settlement }: PaymentIntent,
  basisPoints: number,
  [sold, bought]: readonly [string, string],
): bigint | undefined => {
  const [soldOver, soldUnder] = fraction(sold)
  const [boughtOver, boughtUnder] = fraction(bought)
  const exact: Fraction = [boughtOver * soldUnder, boughtUnder * soldOver]
  const middle = withDigits(exact, ([over, under]) => over / under)
  const left: Fraction = [exact[0] * BigInt(10_000 - basisPoints), exact[1] * 10_000n]
  const rate = basisPoints === 0 ? middle : withDigits(left, nearest)
  if (!areEqual(rate, fraction(settlement.rate))) return undefined
  const places = Number(decimalsOf(settlement.currency) - decimalsOf(amount.currency))
  const gross = timesTen([BigInt(amount.value) * middle[0], middle[1]], places)
  return nearest(gross) - BigInt(settlement.value)
}

/** Returns the possible spreads, by the rates that the service got recently. */
const spreadsOf = (
  intent: PaymentIntent,
  channel: Channel | undefined,
  model: Model,
): ReadonlyArray<bigint> => {
  const { amount, settlement } = intent
  if (amount.currency === settlement.currency) return [0n]
  const known = model.know(givenRates)
  const basisPoints = spreadOf(intent, channel, model)
  return known.of(amount.currency).flatMap((sold) =>
    known.of(settlement.currency).flatMap((bought) => {
      const lost = lostAt(intent, basisPoints, [sold, bought])
      return lost === undefined ? [] : [lost]
    }),
  )
}

const share = (value: number, basisPoints: number): number =>
  Number(nearest([BigInt(value) * BigInt(basisPoints), 10_000n]))

/** Returns what is wrong with the fees of a payment on a channel. */
const flawOf = (
  intent: PaymentIntent,
  channelId: string | null,
  fees: Fees,
  model: Model,
): string | undefined => {
  const channel = channelNamed(channelId)
  if (channel === undefined) return `has fees on ${channelId}, which is no channel`
  const { currency, value } = intent.settlement
  const row = model.know(priceList).rows[rowOf(intent, channel, model)]
  const service = share(value, row.service)
  const network = share(value, channel.network_fee_basis_points)
  const lines = [fees.service, fees.channel, fees.fx_spread, fees.total]
  if (lines.some((line) => line.currency !== currency)) return `has fees in another currency`
  if (fees.service.value !== service) {
    return `has a fee of ${fees.service.value} on ${channelId}, not ${service}`
  }
  if (fees.channel.value !== network) {
    return `has a network fee of ${fees.channel.value} on ${channelId}, not ${network}`
  }
  const total = service + network + fees.fx_spread.value
  return fees.total.value === total ? undefined : `costs ${fees.total.value}, not ${total}`
}

const costs: Rule<"intent"> = ({ after, before }, model) => {
  const isNew = before === undefined
  if (after.fees !== null && (isNew || before.fees === null)) {
    const flaw = flawOf(after, after.channel, after.fees, model)
    if (flaw !== undefined) return flaw
  }
  if (!isNew) return undefined
  for (const { channel, fees } of after.offers) {
    const flaw = fees === undefined ? undefined : flawOf(after, channel, fees, model)
    if (flaw !== undefined) return flaw
  }
  const told = after.fees ?? after.offers.find(({ fees }) => fees !== undefined)?.fees
  if (told === undefined) return undefined
  const spreads = spreadsOf(after, channelNamed(after.channel), model)
  const { value } = told.fx_spread
  return spreads.some((spread) => Number(spread) === value)
    ? undefined
    : `has a spread of ${value}, not ${spreads.join(" or ") || "at such a rate"}`
}

/** The rules about the costs of payments for their payees. */
export const priceRules: Rulebook = {
  112: { intent: costs },
}
