import type { PaymentMethods } from "./Pricing.ts"
import type { ServiceManifest } from "./ServiceManifest.ts"

/** A filter of prices. A missing field does not filter. */
export interface PriceFilter {
  readonly currency?: string
  /** Minor units per payment, per period of a plan, or per unit of use. */
  readonly at_most?: number
}

type Method = keyof PaymentMethods
type Priced = Pick<ServiceManifest, "pricing" | "settlement_currency">

interface Price {
  readonly method: Method
  readonly amount: number
  readonly currency: string
}

/** Returns all prices of a service in minor units, each with its method and currency. */
export const pricesOf = ({ pricing, settlement_currency }: Priced): ReadonlyArray<Price> => {
  const { cumulative, one_time = [], subscription = [] } = pricing
  const { currency = settlement_currency, rate = 0 } = cumulative ?? {}
  return [
    ...one_time.map((price) => ({ method: "one_time", ...price }) as const),
    ...subscription.map((plan) => ({ method: "subscription", ...plan }) as const),
    ...(cumulative ? [{ method: "cumulative", amount: Number(rate), currency } as const] : []),
  ]
}

/** Tells whether a service has such a price, for the given method if there is one. */
export const hasPrice = (
  service: Priced,
  { at_most = Infinity, currency }: PriceFilter,
  method?: Method,
): boolean =>
  pricesOf(service).some(
    (price) =>
      price.amount <= at_most &&
      (currency === undefined || price.currency === currency) &&
      (method === undefined || price.method === method),
  )
