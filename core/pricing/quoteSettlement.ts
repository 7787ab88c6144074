import { Effect } from "effect"
import { Installation } from "../ports/Installation.ts"
import { Failure } from "../shared/Failure.ts"
import type { Money } from "../shared/Money.ts"
import { ONE } from "../shared/Rate.ts"
import type { PaymentMethod } from "./FeeTable.ts"
import { rateOf } from "./rateOf.ts"
import { type PricedChannel, settle } from "./Settlement.ts"

/** Where nothing is exchanged. */
const AS_IS = { usdToPayer: ONE, usdToSettlement: ONE }

/** The currency that cannot be paid in is the payer's, whichever of the two has no rate. */
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
 * What one US dollar buys of either currency. No rate is needed where they are the same.
 *
 * Fails with `INVALID_AMOUNT`, and with `TEMPORARILY_UNAVAILABLE` without usable rates.
 */
export const ratesOf = Effect.fnUntraced(function* (from: string, to: string) {
  const { currencies } = yield* Installation
  if (from === to || !currencies.has(from)) return AS_IS
  const perDollar = (currency: string) =>
    Effect.mapError(rateOf(currency), (failure) =>
      failure.code === "INVALID_AMOUNT" ? noRate(from, to) : failure,
    )
  const usdToPayer = yield* perDollar(from)
  const usdToSettlement = yield* perDollar(to)
  return { usdToPayer, usdToSettlement }
})

/**
 * What an amount settles to at the present rates. No rate is needed where payer and payee have the
 * same currency.
 *
 * Fails with `INVALID_AMOUNT`, and with `TEMPORARILY_UNAVAILABLE` without usable rates.
 */
export const quoteSettlement = Effect.fnUntraced(function* (
  amount: Money,
  settlementCurrency: string,
  method: PaymentMethod,
  channel: PricedChannel | undefined,
) {
  const { currencies } = yield* Installation
  const from = amount.currency
  const rates = from === settlementCurrency ? AS_IS : yield* ratesOf(from, settlementCurrency)
  return yield* Effect.fromResult(
    settle({
      amount,
      settlement_currency: settlementCurrency,
      method,
      channel,
      ...rates,
      currencies,
    }),
  )
})
