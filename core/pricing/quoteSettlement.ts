import { Effect } from "effect"
import { Installation } from "../ports/Installation.ts"
import { Rates } from "../ports/Rates.ts"
import type { Money } from "../shared/Money.ts"
import { ONE } from "../shared/Rate.ts"
import type { PaymentMethod } from "./FeeTable.ts"
import { type PricedChannel, settle } from "./Settlement.ts"

/**
 * What an amount settles to at the present rates. No rate is needed where payer and payee have the
 * same currency.
 *
 * Fails with `INVALID_AMOUNT`, and with `TEMPORARILY_UNAVAILABLE` when the rates are too old.
 */
export const quoteSettlement = Effect.fnUntraced(function* (
  amount: Money,
  settlementCurrency: string,
  method: PaymentMethod,
  channel: PricedChannel | undefined,
) {
  const { currencies } = yield* Installation
  const rates = yield* Rates
  const needed = amount.currency !== settlementCurrency && currencies.has(amount.currency)
  const usdToPayer = needed ? (yield* rates.perDollar(amount.currency)).rate : ONE
  const usdToSettlement = needed ? (yield* rates.perDollar(settlementCurrency)).rate : ONE
  return yield* Effect.fromResult(
    settle({
      amount,
      settlement_currency: settlementCurrency,
      method,
      channel,
      usdToPayer,
      usdToSettlement,
      currencies,
    }),
  )
})
