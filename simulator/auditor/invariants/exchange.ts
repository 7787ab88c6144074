import type { Money } from "../../../core/shared/Money.ts"
import type { Quote } from "../../../core/quotes/Quote.ts"
import { MINUTE, type Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Rule, Rulebook } from "../Observation.ts"
import type { Model } from "../Model.ts"
import { knowledge } from "../Knowledge.ts"
import { saysTheSame } from "../saysTheSame.ts"

interface Given {
  readonly rate: string
  readonly at: Timestamp
}

/** The age up to which a rate may be used for a decision. */
const KEPT = 20 * MINUTE

const DECIMALS: { readonly [currency: string]: bigint } = { JPY: 0n, KWD: 3n }

/** Returns how many decimals an amount of the currency has. */
export const decimalsOf = (currency: string): bigint => DECIMALS[currency] ?? 2n

/** Returns a positive decimal as an exact fraction. */
export const fraction = (decimal: string): readonly [over: bigint, under: bigint] => {
  const [whole = "0", digits = ""] = decimal.split(".")
  return [BigInt(whole + digits), 10n ** BigInt(digits.length)]
}

/** Converts an amount by what a dollar buys of its currency and of the other, rounded up. */
const worthAt = ({ currency, value }: Money, sold: string, bought: string, other: string) => {
  const [soldOver, soldUnder] = fraction(sold)
  const [boughtOver, boughtUnder] = fraction(bought)
  const above = BigInt(value) * soldUnder * boughtOver * 10n ** decimalsOf(other)
  const below = soldOver * boughtUnder * 10n ** decimalsOf(currency)
  return Number((above + below - 1n) / below)
}

/** Returns what an amount is worth in another currency by each pair of recent rates, rounded up. */
export const worthsOf = (
  known: Pick<GivenRates, "of">,
  amount: Money,
  other: string,
): ReadonlyArray<number> =>
  known
    .of(amount.currency)
    .flatMap((sold) => known.of(other).map((bought) => worthAt(amount, sold, bought, other)))

/** The exchange rates that the service got recently: what one dollar buys. */
class GivenRates {
  readonly #given = new Map<string, Array<Given>>()
  readonly #worths = new Map<string, number>()
  #missed = -Infinity

  give(currency: string, rate: string, at: Timestamp): void {
    const given = this.#given.get(currency) ?? []
    this.#given.set(currency, given)
    const last = given.at(-1)
    if (last?.rate === rate && last.at === at) return
    while ((given[0]?.at ?? at) < at - KEPT) given.shift()
    given.push({ rate, at })
  }

  /** Returns each rate of a currency that the service got recently; 1 for the dollar. */
  of(currency: string): ReadonlyArray<string> {
    if (currency === "USD") return ["1"]
    return [...new Set((this.#given.get(currency) ?? []).map(({ rate }) => rate))]
  }

  miss(at: Timestamp): void {
    this.#missed = at
  }

  /** Whether the service has recently asked for a rate in vain. */
  wereMissing(at: Timestamp): boolean {
    return this.#missed >= at - KEPT
  }

  /** Returns the least that a payment is worth in another currency: the first value stays. */
  worthOf(id: string, amount: Money, other: string): number {
    const name = `${id} ${other}`
    const known = this.#worths.get(name)
    if (known !== undefined) return known
    const worths = worthsOf(this, amount, other)
    const worth = worths.length === 0 ? 0 : Math.min(...worths)
    this.#worths.set(name, worth)
    return worth
  }
}

/** The auditor's knowledge about rates. No write shows them. */
export const givenRates = knowledge("given rates", GivenRates)

/** The fields of a payment that determine its worth. */
interface Priced {
  readonly id: string
  readonly amount: Money
}

/**
 * Returns the least that a payment is worth in another currency's smallest unit, rounded up, by the
 * rates at the first question about the payment.
 */
export const worthIn = ({ amount, id }: Priced, other: string, model: Model): number =>
  amount.currency === other ? amount.value : model.know(givenRates).worthOf(id, amount, other)

/** Returns what a payment is worth in US cents, rounded up. */
export const centsOf = (payment: Priced, model: Model): number => worthIn(payment, "USD", model)

declare module "../Observation.ts" {
  interface Observations {
    /** An exchange rate that the service got: what one dollar buys of the currency. */
    readonly rate: { readonly currency: string; readonly rate: string; readonly at: Timestamp }
    /** The service has asked for a rate and got none. */
    readonly no_rate: { readonly at: Timestamp }
    /** The rate promised to a payer, and its payment's settlement; undefined if refused. */
    readonly quoted: {
      readonly promised: ReadonlyArray<Money>
      readonly settlement: Money | undefined
    }
    /** The answer to an order at a quote, about when the quote ends. */
    readonly quote_ordered: {
      readonly expires_at: Timestamp
      readonly sent: Timestamp
      readonly at: Timestamp
      readonly error: string | undefined
    }
  }
}

/** The highest spread. */
const MOST_SPREAD = 0.012

/** Rates have twelve digits. */
const ROUNDING = 1e-9

/** Returns the amount at a rate, rounded down. */
const valueAt = ({ currency, value }: Money, rate: string, to: string): bigint => {
  const [over, under] = fraction(rate)
  return (BigInt(value) * over * 10n ** decimalsOf(to)) / (under * 10n ** decimalsOf(currency))
}

const given: Rule<"rate"> = ({ at, currency, rate }, model) => {
  model.know(givenRates).give(currency, rate, at)
  return Number(rate) > 0 ? undefined : `has a rate of ${rate}`
}

const missing: Rule<"no_rate"> = ({ at }, model) => {
  model.know(givenRates).miss(at)
  return undefined
}

const settles: Rule<"intent"> = ({ after, before }, model) => {
  if (before !== undefined) return undefined
  const { amount, settlement } = after
  const { currency, rate, value } = settlement
  if (currency === amount.currency) {
    return rate === "1" && value === amount.value ? undefined : `exchanges ${currency} for itself`
  }
  const known = model.know(givenRates)
  const applied = Number(rate)
  const isGiven = known.of(amount.currency).some((sold) =>
    known.of(currency).some((bought) => {
      const mid = Number(bought) / Number(sold)
      const [least, most] = [mid * (1 - MOST_SPREAD), mid]
      return applied >= least * (1 - ROUNDING) && applied <= most * (1 + ROUNDING)
    }),
  )
  if (!isGiven) return `settles at ${rate}, which nobody has given for ${currency}`
  const right = valueAt(amount, rate, currency)
  return BigInt(value) === right ? undefined : `settles to ${value} and not to ${right}`
}

const keepsPromise: Rule<"quoted"> = ({ promised, settlement }) => {
  if (settlement === undefined) return undefined
  const { currency, value } = settlement
  const kept = promised.some((one) => one.currency === currency && one.value === value)
  return kept ? undefined : `settles to ${value} ${currency}, which was not promised`
}

/** The quotes as they were stored last. */
export const quotes = knowledge("quotes", Map<string, Quote>, (known, { kind, op, record }) => {
  if (kind === "quote" && op !== "remove") known.set(record.id, record)
})

/** Checks that a quote lasts a minute, and pays one payment of its amount within that time. */
const usedOnce: Rule<"write"> = ({ commit, write }, model) => {
  if (write.kind !== "quote" || write.op === "remove") return undefined
  const { amount, created_at, expires_at, id, payment_intent, routes } = write.record
  if (expires_at - created_at !== MINUTE) return `lasts ${expires_at - created_at} ms`
  const first = model.know(quotes).get(id)
  if (first !== undefined && !saysTheSame(first.amount, amount)) return "changes its amount"
  if (first !== undefined && !saysTheSame(first.routes, routes)) return "changes its routes"
  const before = first?.payment_intent ?? null
  if (before !== null && payment_intent !== before) return `is used again, after ${before}`
  if (before !== null || payment_intent === null) return undefined
  const made = commit.writes.find(({ record }) => record.id === payment_intent)
  if (made?.kind !== "payment_intent") return `is used for ${payment_intent}, which is not made`
  const payment = made.record
  const late = payment.created_at - expires_at - 2 * model.clocksOff
  if (late >= 0) return `is used ${late} ms after its time`
  if (payment.amount.value !== amount.value || payment.amount.currency !== amount.currency) {
    return `pays ${payment.amount.value} ${payment.amount.currency}`
  }
  const route = routes.find(({ channel }) => channel === payment.channel)
  return route === undefined || route.settlement.value === payment.settlement.value
    ? undefined
    : `settles to ${payment.settlement.value} on ${route.channel}, not ${route.settlement.value}`
}

/** Checks that a quote is neither refused before its end nor accepted after it. */
const endsInTime: Rule<"quote_ordered"> = ({ at, error, expires_at, sent }, { clocksOff }) => {
  // The quote's own time and the order's may each be those of a process with a wrong clock.
  const off = 2 * clocksOff
  if (error === "QUOTE_EXPIRED" && at < expires_at - off) {
    return `is over ${expires_at - at} ms before its end`
  }
  return error === undefined && sent >= expires_at + off
    ? `is accepted ${sent - expires_at} ms after its end`
    : undefined
}

/** The rules about settlement in other currencies. */
export const exchangeRules: Rulebook = {
  81: { rate: given, no_rate: missing, intent: settles },
  82: { quoted: keepsPromise, quote_ordered: endsInTime, write: usedOnce },
}
