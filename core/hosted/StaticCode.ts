import { type Catalog, find, serves } from "../channels/Channel.ts"
import { firstPrice, type ServiceManifest } from "../registry/ServiceManifest.ts"
import type { OneTimePrice } from "../registry/Pricing.ts"

/** What whoever scans the printed code of a service may pay. */
export interface StaticCode {
  readonly service_id: string
  readonly service: string
  readonly description: string
  readonly payee: string
  /** Never empty, in the seller's order. */
  readonly prices: ReadonlyArray<OneTimePrice>
}

/** Whether a service has such a code, and may be paid by it now. */
export const isOnSale = ({ pricing, qr_mode, status }: ServiceManifest): boolean =>
  status === "active" && qr_mode === "static" && firstPrice({ pricing }) !== undefined

/** The prices whose currency one of the service's channels takes. */
export const payablePrices = (
  { accepted_channels, pricing }: ServiceManifest,
  catalog: Catalog,
): ReadonlyArray<OneTimePrice> =>
  (pricing.one_time ?? []).filter(({ currency }) =>
    accepted_channels.some((id) => {
      const channel = find(catalog, id)
      return channel !== undefined && serves(channel, currency)
    }),
  )
