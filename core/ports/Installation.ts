import { Context } from "effect"
import type { Catalog } from "../channels/Channel.ts"
import type { Terms } from "../terms/Terms.ts"
import type { CurrencyTable } from "../shared/Currency.ts"

/** What does not change while the service runs. */
export class Installation extends Context.Service<
  Installation,
  {
    readonly mode: "sandbox" | "live"
    /** The public base address, without a trailing slash. */
    readonly base_url: string
    readonly catalog: Catalog
    readonly currencies: CurrencyTable
    /** Its fees and limits. All processes on one store have the same. */
    readonly terms: Terms
    /** Whether receivers on loopback and over plain HTTP are accepted. */
    readonly local_receivers: boolean
  }
>()("payport/core/ports/Installation") {}
