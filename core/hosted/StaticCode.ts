import { type Catalog, find, serves } from "../channels/Channel.ts"
import { firstPrice, type ServiceManifest } from "../registry/ServiceManifest.ts"
import { isPayable, fromMajor, type Money } from "../shared/Money.ts"
import type { CurrencyTable } from "../shared/Currency.ts"
import type { OneTimePrice, OpenAmount } from "../registry/Pricing.ts"

/** The choices of a payer who scans the printed code of a service. */
export interface StaticCode {
  readonly service_id: string
  readonly service: string
  readonly description: string
  readonly payee: string
  /** Never empty, in the seller's order. */
  readonly prices: ReadonlyArray<OneTimePrice>
  /** The range of amounts that the payer may type; null where only the prices can be paid. */
  readonly open: OpenAmount | null
}

/** Tells whether a service has a printed code and accepts payments by it now. */
export const isOnSale = (service: ServiceManifest): boolean =>
  service.status === "active" && hasCode(service)

/** Tells whether a printed code is that of a service which only its seller can resume. */
export const isPausedCode = (service: ServiceManifest): boolean =>
  service.status === "paused" && hasCode(service)

const hasCode = ({ pricing, qr_mode }: ServiceManifest): boolean =>
  qr_mode === "static" && firstPrice({ pricing }) !== undefined

/**
 * Parses an amount in major units that a payer typed; undefined where the seller does not accept
 * it.
 */
export const typedAmount = (
  open: OpenAmount | null,
  text: string,
  currencies: CurrencyTable,
): Money | undefined => {
  const currency = open === null ? undefined : currencies.get(open.currency)
  const value = currency === undefined ? undefined : fromMajor(text.trim(), currency)
  if (open === null || value === undefined || !isPayable(value)) return undefined
  const { maximum = value, minimum = value } = open
  return value < minimum || value > maximum ? undefined : { currency: open.currency, value }
}

const isTaken = (
  currency: string,
  { accepted_channels }: Pick<ServiceManifest, "accepted_channels">,
  catalog: Catalog,
): boolean =>
  accepted_channels.some((id) => {
    const channel = find(catalog, id)
    return channel !== undefined && serves(channel, currency)
  })

/** Returns the range of typed amounts, if one of the service's channels takes its currency. */
export const payableOpen = (service: ServiceManifest, catalog: Catalog): OpenAmount | null => {
  const { open_amount } = service.pricing
  return open_amount !== undefined && isTaken(open_amount.currency, service, catalog)
    ? open_amount
    : null
}

/** Returns the prices whose currency one of the service's channels takes. */
export const payablePrices = (
  service: ServiceManifest,
  catalog: Catalog,
): ReadonlyArray<OneTimePrice> =>
  (service.pricing.one_time ?? []).filter(({ currency }) => isTaken(currency, service, catalog))
