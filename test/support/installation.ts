import { Layer } from "effect"
import { currencies } from "../../adapters/fx/Currencies.ts"
import { usualTerms } from "../../core/terms/Terms.ts"
import { defaultCatalog } from "../../core/channels/Catalog.ts"
import { Installation } from "../../core/ports/Installation.ts"

/** A sandbox with the default catalog, unless a test says otherwise. */
export const installation = (said: Partial<Installation["Service"]> = {}) =>
  Layer.succeed(Installation, {
    mode: "sandbox",
    base_url: "https://pay.test",
    catalog: defaultCatalog,
    currencies,
    terms: usualTerms,
    local_receivers: false,
    ...said,
  })
