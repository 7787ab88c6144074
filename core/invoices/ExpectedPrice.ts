import { Result, Schema } from "effect"
import { UnitRate } from "../registry/ManifestInput.ts"
import type { SubscriptionPlan } from "../registry/Pricing.ts"
import { Failure } from "../shared/Failure.ts"
import { CurrencyCode, equals, type Money } from "../shared/Money.ts"
import * as Text from "../shared/Text.ts"
import type { TabPrice } from "./Tab.ts"
import { canonical } from "./Usage.ts"

/** The price of use that a caller agrees to. What is left out may be anything. */
export const expectedRate = {
  rate: Schema.optionalKey(UnitRate).annotateKey({
    description:
      "The price of one unit that you agree to, in minor units, as the service shows it. If it " +
      "differs from the tab's price, the request is refused. Needs `currency`.",
  }),
  currency: Schema.optionalKey(CurrencyCode).annotateKey({
    description: "The currency of the rate that you agree to.",
  }),
  unit: Schema.optionalKey(Text.line(64)).annotateKey({
    description: "The unit that you agree to, as the service shows it.",
  }),
}

/** See {@link expectedRate}. */
export interface ExpectedRate {
  readonly rate?: number | string
  readonly currency?: string
  readonly unit?: string
}

/**
 * Fails with `INVALID_AMOUNT` if a plan's price is not the one that the caller agreed to: the
 * seller may have changed it since the caller read it. Without an expected price every price is
 * accepted.
 */
export const checkPlanPrice = (
  { amount, currency, interval, plan_id }: SubscriptionPlan,
  expected: Partial<Money> = {},
): Result.Result<void, Failure<"INVALID_AMOUNT">> => {
  const price: Money = { currency, value: amount }
  const asked = { ...price, ...expected }
  if (equals(price, asked)) return Result.void
  return Result.fail(
    new Failure({
      code: "INVALID_AMOUNT",
      message:
        `The plan ${plan_id} costs ${amount} ${currency} ${interval}, in minor units, not ` +
        `${asked.value} ${asked.currency}. Nothing was subscribed or charged.`,
      field: "amount",
      details: { field: "amount", value: asked, constraint: "must be the plan's price", price },
    }),
  )
}

const noCurrency = (currency: string) =>
  new Failure({
    code: "INVALID_AMOUNT",
    message:
      `A rate is in minor units of a currency: send it, too (here ${currency}). ` +
      "No tab was opened.",
    field: "currency",
    details: { field: "currency", constraint: "is required with `rate`" },
  })

/** The parts of a tab's price that a caller can agree to, in the order of their refusals. */
const PARTS = ["rate", "currency", "unit"] as const

/**
 * Fails with `INVALID_AMOUNT` if a tab's price is not the one that the caller agreed to. Who agrees
 * to a rate names its currency: otherwise a seller could keep the number in dollars instead of yen.
 */
export const checkTabPrice = (
  { currency, rate, unit }: TabPrice,
  expected: ExpectedRate,
): Result.Result<void, Failure<"INVALID_AMOUNT">> => {
  const price = { unit, rate: canonical(rate), currency }
  if (expected.rate !== undefined && expected.currency === undefined) {
    return Result.fail(noCurrency(currency))
  }
  const asked = { ...price, ...expected, rate: canonical(expected.rate ?? rate) }
  const field = PARTS.find((part) => asked[part] !== price[part])
  if (field === undefined) return Result.void
  return Result.fail(
    new Failure({
      code: "INVALID_AMOUNT",
      message:
        `The ${field} of the tab's price is ${price[field]}, not ${expected[field]}. ` +
        "No tab was opened.",
      field,
      details: { field, value: expected[field], constraint: "must be the tab's price", price },
    }),
  )
}
