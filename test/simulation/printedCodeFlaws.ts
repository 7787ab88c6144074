import type { ServiceManifest } from "../../core/registry/ServiceManifest.ts"
import { printedCounters } from "../../simulator/parts/printedCodes.ts"
import { changing } from "../support/finding.ts"
import { type Flaw, storing } from "./flaw.ts"

const flaw = (name: string, alterations: Flaw["alterations"]): Flaw => ({
  name,
  noticed_by: [122],
  alterations,
  parts: [printedCounters.name],
})

/** A store from which the services with a printed code are read otherwise. */
const reading = (change: (service: ServiceManifest) => ServiceManifest): Flaw["alterations"] => ({
  store: (store) => ({
    ...store,
    find: changing(store, "service", (service) =>
      service.qr_mode === "static" ? change(service) : service,
    ),
  }),
})

/** Flaws of payments by printed codes. */
export const printedCodeFlaws: ReadonlyArray<Flaw> = [
  flaw(
    "a printed code asks for a cent more than its seller",
    reading(({ pricing, ...service }) => {
      const { one_time = [] } = pricing
      const dearer = one_time.map((price) => ({ ...price, amount: price.amount + 1 }))
      return { ...service, pricing: { ...pricing, one_time: dearer } }
    }),
  ),
  flaw(
    "people type less at a printed code than its seller takes",
    reading(({ pricing: { open_amount, ...pricing }, ...service }) => {
      if (open_amount === undefined) return { ...service, pricing }
      const { minimum: _minimum, ...open } = open_amount
      return { ...service, pricing: { ...pricing, open_amount: open } }
    }),
  ),
  flaw(
    "an attempt at a printed code that is repeated pays again",
    storing(({ reply, ...commit }) =>
      reply?.key.startsWith("static_code ") === true
        ? commit
        : { ...commit, ...(reply !== undefined && { reply }) },
    ),
  ),
  flaw(
    "a printed code sells while its seller has paused it",
    reading((service) =>
      service.status === "paused" ? { ...service, status: "active" } : service,
    ),
  ),
]
