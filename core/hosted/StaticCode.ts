import { type Catalog, find, serves } from "../channels/Channel.ts"
import { firstPrice, type ServiceManifest } from "../registry/ServiceManifest.ts"
import { isPayable, fromMajor, type Money } from "../shared/Money.ts"
import type { CurrencyTable } from "../shared/Currency.ts"
import type { OneTimePrice, OpenAmount } from "../registry/Pricing.ts"

/** What whoever scans the printed code of a service may pay. */
export interface StaticCode {
  readonly service_id: string
  readonly service: string
  readonly description: string
  readonly payee: string
  /** Never empty, in the seller's order. */
  readonly prices: ReadonlyArray<OneTimePrice>
  /** Where the payer may type an amount as well; null where only the prices are paid. */
  readonly open: OpenAmount | null
}

/** Whether a service has such a code, and may be paid by it now. */
export const isOnSale = ({ pricing, qr_mode, status }: ServiceManifest): boolean =>
  status === "active" && qr_mode === "static" && firstPrice({ pricing }) !== undefined

/** The amount that a payer typed in major units; undefined where the seller does not take it. */
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

/** What may be typed, where one of the service's channels takes its currency. */
export const payableOpen = (service: ServiceManifest, catalog: Catalog): OpenAmount | null => {
  const { open_amount } = service.pricing
  return open_amount !== undefined && isTaken(open_amount.currency, service, catalog)
    ? open_amount
    : null
}

/** The prices whose currency one of the service's channels takes. */
export const payablePrices = (
  service: ServiceManifest,
  catalog: Catalog,
): ReadonlyArray<OneTimePrice> =>
  (service.pricing.one_time ?? []).filter(({ currency }) => isTaken(currency, service, catalog))
