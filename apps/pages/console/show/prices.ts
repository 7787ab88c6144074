import type { ServiceManifest } from "../../../../adapters/http/client/Resources.ts"
import { money } from "./money.ts"

/** A service's prices; a search result has no settlement currency, and names that of use. */
type Priced = Pick<ServiceManifest, "pricing"> &
  Partial<Pick<ServiceManifest, "settlement_currency">>

/** Writes the price of use, which has more decimals than an amount: `0.25 minor units of USD …`. */
const useOf = ({ pricing: { cumulative }, settlement_currency }: Priced): ReadonlyArray<string> => {
  if (cumulative === undefined) return []
  const { billing_cycle, currency = settlement_currency, rate, unit } = cumulative
  return [`${rate} minor units of ${currency ?? "?"} per ${unit}, billed ${billing_cycle}`]
}

/** Returns a service's prices as buyers read them. */
export const pricesOf = (service: Priced): ReadonlyArray<string> => [
  ...(service.pricing.one_time ?? []).map(
    ({ amount, currency, label }) => `${label}: ${money({ currency, value: amount })}`,
  ),
  ...(service.pricing.subscription ?? []).map(
    ({ amount, currency, interval, name }) =>
      `${name}: ${money({ currency, value: amount })} ${interval}`,
  ),
  ...useOf(service),
]
