import type { Clock } from "effect"
import type { Channels } from "../core/ports/Channels.ts"
import type { Rates } from "../core/ports/Rates.ts"
import type { RateLeases } from "../core/ports/RateLeases.ts"
import type { ResourceProbe } from "../core/ports/ResourceProbe.ts"
import type { Revoker } from "../core/ports/Revoker.ts"
import type { Store } from "../core/ports/Store.ts"
import type { Vault } from "../core/ports/Vault.ts"
import type { WebhookSender } from "../core/ports/WebhookSender.ts"
import type { Terms } from "../core/terms/Terms.ts"
import type { Doors } from "./world/Doors.ts"
import type { MakeLedger } from "./channels/Network.ts"

/**
 * Replacements for parts of the world: an embedder's own adapters, or adapters that are wrong on
 * purpose to test whether the auditor notices.
 */
export interface Alterations {
  readonly store?: (store: Store["Service"]) => Store["Service"]
  readonly channels?: (channels: Channels["Service"]) => Channels["Service"]
  readonly vault?: (vault: Vault["Service"]) => Vault["Service"]
  readonly revoker?: (revoker: Revoker["Service"]) => Revoker["Service"]
  readonly rates?: (rates: Rates["Service"]) => Rates["Service"]
  readonly sender?: (sender: WebhookSender["Service"]) => WebhookSender["Service"]
  readonly probe?: (probe: ResourceProbe["Service"]) => ResourceProbe["Service"]
  readonly clock?: (clock: Clock.Clock) => Clock.Clock
  /** The clock error that a process assumes, from its real error in milliseconds. */
  readonly offset?: (offset: number) => number
  readonly leases?: (leases: RateLeases["Service"]) => RateLeases["Service"]
  /** Doors of paid endpoints that replace the usual ones. */
  readonly doors?: Partial<Doors>
  /** Returns the part of people's words that reaches the service. */
  readonly hears?: (text: string) => string
  readonly makeLedger?: MakeLedger
  /**
   * The service's fees and limits. The auditor computes prices from them, but expects no more than
   * the usual limits.
   */
  readonly terms?: Terms
}
