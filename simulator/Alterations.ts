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
 * What is put in the place of a part of the world: an embedder's own adapter, or one that is wrong
 * on purpose to see whether that is noticed.
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
  /** What a process takes it for that its clock is so many milliseconds off. */
  readonly offset?: (offset: number) => number
  readonly leases?: (leases: RateLeases["Service"]) => RateLeases["Service"]
  /** Doors of paid endpoints in the place of the usual ones. */
  readonly doors?: Partial<Doors>
  /** What reaches the service of what people say. */
  readonly hears?: (text: string) => string
  readonly makeLedger?: MakeLedger
  /**
   * What the service takes and allows. The auditor works prices out by them, and expects no more
   * than the usual limits.
   */
  readonly terms?: Terms
}
