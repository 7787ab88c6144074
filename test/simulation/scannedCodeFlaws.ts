import type { ServiceManifest } from "../../core/registry/ServiceManifest.ts"
import { scanners } from "../../simulator/parts/scannedCodes.ts"
import { changing } from "../support/finding.ts"
import type { Flaw } from "./flaw.ts"

/** A flaw of a store from which active services are read otherwise, and so are not written back. */
const flaw = (name: string, change: (service: ServiceManifest) => ServiceManifest): Flaw => ({
  name,
  noticed_by: [123],
  alterations: {
    store: (store) => ({
      ...store,
      find: changing(store, "service", (service) =>
        service.status === "active" ? change(service) : service,
      ),
    }),
  },
  parts: [scanners.name],
})

/** Flaws of scanned codes. */
export const scannedCodeFlaws: ReadonlyArray<Flaw> = [
  flaw("a scan recommends a price that the seller never asked for", ({ pricing, ...service }) => {
    const { one_time = [] } = pricing
    const dearer = one_time.map((price) => ({ ...price, amount: price.amount + 1 }))
    return { ...service, pricing: { ...pricing, one_time: dearer } }
  }),
  flaw("a scan recommends a channel that the seller does not accept", (service) => ({
    ...service,
    accepted_channels: [...service.accepted_channels, "wallet_d"],
  })),
]
