import { Effect } from "effect"
import { DOLLAR, isRate, ONE, worth } from "../shared/Rate.ts"
import { Rates } from "../ports/Rates.ts"
import { catchFailure } from "../shared/catchFailure.ts"
import { Failure } from "../shared/Failure.ts"
import { Installation } from "../ports/Installation.ts"
import type { Money } from "../shared/Money.ts"
import type { Channel } from "../channels/Channel.ts"
import {
  type Fees,
  feesOf,
  type PaymentMethod,
  type PricedChannel,
  type Settlement,
  settle,
} from "./Price.ts"

/**
 * Returns how many units of the currency one US dollar buys. A rate of zero from a source is not
 * used.
 *
 * Fails with `INVALID_AMOUNT` for a currency without a rate, and with `TEMPORARILY_UNAVAILABLE`
 * when the rate is too old or invalid.
 */
export const rateOf = Effect.fnUntraced(function* (currency: string) {
  const { rate } = yield* (yield* Rates).perDollar(currency)
  if (isRate(rate)) return rate
  return yield* new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: `There is no usable exchange rate of ${currency} at the moment. Retry in a minute.`,
    retry_after: 60,
  })
})

const perDollar = Effect.fnUntraced(function* (code: string) {
  if (code === DOLLAR.currency.code) return DOLLAR
  const currency = (yield* Installation).currencies.get(code)
  if (currency === undefined) {
    const message = `There is no exchange rate for ${code}, which is no ISO 4217 currency.`
    return yield* new Failure({ code: "INVALID_AMOUNT", message })
  }
  return { rate: yield* rateOf(code), currency }
})

/**
 * Converts an amount to minor units of another currency at the current mid-market rate, rounded
 * once: `up` for limits, `half-even` for bills.
 *
 * Fails as {@link rateOf} does.
 */
export const worthOf = ({ currency, value }: Money, other: string, rounding: "up" | "half-even") =>
  currency === other
    ? Effect.succeed(value)
    : Effect.zipWith(perDollar(currency), perDollar(other), (from, to) =>
        worth(value, from, to, rounding),
      )

/**
 * Tells whether payments in other currencies can be compared with a limit in this one: whether it
 * has an exchange rate. Counts as true while that cannot be told.
 */
export const isComparable = (currency: string) =>
  perDollar(currency).pipe(
    Effect.as(true),
    catchFailure(["INVALID_AMOUNT"], () => Effect.succeed(false)),
    catchFailure(["TEMPORARILY_UNAVAILABLE"], () => Effect.succeed(true)),
  )

/** A limit that somebody has set, in words, with its field. */
interface NamedLimit {
  readonly currency: string
  readonly field: string
  readonly name: string
}

const incomparable = ({ currency, field, name }: NamedLimit, paid: string) =>
  new Failure({
    code: "INVALID_AMOUNT",
    message:
      `There is no exchange rate for ${currency}, the currency of ${name}, so that a payment in ` +
      `${paid} cannot be compared with it. Set ${field} in a currency that has a rate.`,
    details: { limit: field, currency },
  })

/**
 * Returns what an amount counts against a limit, in minor units of the limit's currency, rounded
 * up. Fails as {@link worthOf} does. If only the limit's currency has no rate, the failure names
 * the limit, since no other amount would help.
 */
export const worthUnder = (amount: Money, limit: NamedLimit) =>
  worthOf(amount, limit.currency, "up").pipe(
    catchFailure(["INVALID_AMOUNT"], (failure) =>
      Effect.flatMap(isComparable(limit.currency), (isKnown) =>
        Effect.fail(isKnown ? failure : incomparable(limit, amount.currency)),
      ),
    ),
  )

/**
 * Returns the most minor units of a currency that are worth no more than these US cents, as limits
 * count them.
 *
 * Fails as {@link rateOf} does.
 */
export const mostWorth = Effect.fnUntraced(function* (cents: number, currency: string) {
  const near = yield* worthOf({ currency: "USD", value: cents }, currency, "half-even")
  return (yield* worthOf({ currency, value: near }, "USD", "up")) > cents ? near - 1 : near
})

/** The rates without an exchange. */
const AS_IS = { usdToPayer: ONE, usdToSettlement: ONE }

/** Without a rate, payments in the settlement currency fail too: their limits are in dollars. */
const unsettled = (from: string, to: string) =>
  new Failure({
    code: "INVALID_AMOUNT",
    message:
      `There is no exchange rate for ${to}, the settlement currency, so that nothing can be ` +
      "paid. Another settlement_currency is needed, which for a service only its seller can set.",
    field: "amount.currency",
    details: {
      field: "amount.currency",
      value: from,
      constraint: `must be settled in a currency that has an exchange rate, not in ${to}`,
    },
  })

/** The payer's currency has no rate, and that of the payee has one. */
const noRate = (from: string, to: string) => {
  const constraint = `must be a currency that has an exchange rate to ${to}`
  return new Failure({
    code: "INVALID_AMOUNT",
    message: `There is no exchange rate from ${from} to ${to}. Pay in ${to}.`,
    field: "amount.currency",
    details: { field: "amount.currency", value: from, constraint },
  })
}

/**
 * Returns what one US dollar buys of either currency. No rate is needed where they are the same.
 *
 * Fails with `INVALID_AMOUNT`, and with `TEMPORARILY_UNAVAILABLE` without usable rates.
 */
export const ratesOf = Effect.fnUntraced(function* (from: string, to: string) {
  const { currencies } = yield* Installation
  if (from === to || !currencies.has(from)) return AS_IS
  const known = (currency: string, refusal: typeof noRate) =>
    Effect.mapError(rateOf(currency), (failure) =>
      failure.code === "INVALID_AMOUNT" ? refusal(from, to) : failure,
    )
  const usdToSettlement = yield* known(to, unsettled)
  const usdToPayer = yield* known(from, noRate)
  return { usdToPayer, usdToSettlement }
})

/**
 * Settles an amount at the current rates. No rate is needed where payer and payee have the same
 * currency.
 *
 * Fails with `INVALID_AMOUNT`, and with `TEMPORARILY_UNAVAILABLE` without usable rates.
 */
export const quoteSettlement = (
  amount: Money,
  settlementCurrency: string,
  method: PaymentMethod,
  channel: PricedChannel | undefined,
) =>
  Effect.flatMap(Installation, ({ currencies, terms: { fees } }) => {
    const from = amount.currency
    const terms = { amount, settlement_currency: settlementCurrency, method, channel }
    const settled = (rates: typeof AS_IS) =>
      Effect.fromResult(settle({ ...terms, ...rates, currencies, fees }))
    return from === settlementCurrency
      ? settled(AS_IS)
      : Effect.flatMap(ratesOf(from, settlementCurrency), settled)
  })

/** The settlement and the fees of a payment. */
interface Priced {
  readonly settlement: Settlement
  readonly fees: Fees
}

/**
 * Returns the settlement of a payment on a channel at the current rates, and its fees by payment
 * method.
 *
 * Fails as {@link quoteSettlement} does.
 */
export const priceOn = (
  channel: Channel,
  amount: Money,
  settlementCurrency: string,
  method: PaymentMethod,
) =>
  Effect.zipWith(
    Installation,
    quoteSettlement(amount, settlementCurrency, method, channel),
    ({ terms: { fees } }, settled): Priced => ({
      settlement: settled.settlement,
      fees: feesOf({ method, currency: amount.currency, settled, channel, fees }),
    }),
  )
