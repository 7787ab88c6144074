import type { Effect } from "effect"
import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { FaultLog } from "../faults/Fault.ts"
import type { Faults } from "../faults/Faults.ts"
import type { Chance } from "../random/Chance.ts"
import type { ConnectionLost } from "./processes/Process.ts"
import type { Channels } from "../../core/ports/Channels.ts"
import type { ContactRules } from "../../core/ports/ContactRules.ts"
import type { IdentityVerifier } from "../../core/ports/IdentityVerifier.ts"
import type { Ids } from "../../core/ports/Ids.ts"
import type { Installation } from "../../core/ports/Installation.ts"
import type { Language } from "../../core/ports/Language.ts"
import type { Messenger } from "../../core/ports/Messenger.ts"
import type { RateLeases } from "../../core/ports/RateLeases.ts"
import type { Rates } from "../../core/ports/Rates.ts"
import type { ReceiverAddress } from "../../core/ports/ReceiverAddress.ts"
import type { ResourceProbe } from "../../core/ports/ResourceProbe.ts"
import type { Revoker } from "../../core/ports/Revoker.ts"
import type { Store } from "../../core/ports/Store.ts"
import type { Vault } from "../../core/ports/Vault.ts"
import type { WallClock } from "../../core/ports/WallClock.ts"
import type { WebhookSender } from "../../core/ports/WebhookSender.ts"
import type { Auditor } from "../auditor/Auditor.ts"
import type { Callbacks } from "../channels/Callbacks.ts"
import type { Network } from "../channels/Network.ts"
import type { Post } from "../ports/identity.ts"
import type { Shops } from "../ports/shops.ts"
import type { Doors } from "./Doors.ts"
import type { Client } from "./people/Client.ts"
import type { Population } from "./people/Population.ts"
import type { Script } from "./plans/Plan.ts"
import type { Rulebook } from "../auditor/Observation.ts"
import type { AnyKnowledge } from "../auditor/Knowledge.ts"

/** What every part of a world has in common: its time, its chance, its faults, its helpers. */
export interface Stage {
  readonly now: () => Timestamp
  /** The stream of chance of that name. */
  readonly chance: (name: string) => Chance
  /** The world's faults while they last; none once they have stopped. */
  readonly faults: () => Faults
  readonly log: FaultLog
  /** Starts something that goes on by itself, outside of whoever causes it. */
  readonly spawn: (effect: Effect.Effect<void, never, Services>) => void
  /** Has something done by one of the service's processes, which may end before it answers. */
  readonly serve: <A, E>(
    effect: Effect.Effect<A, E, Services>,
  ) => Effect.Effect<A, E | ConnectionLost>
  /** Counts something that happens to a payment, in a channel's words or the table's. */
  readonly visit: (intentId: string, what: string) => void
  /** Counts how long something took in virtual time. */
  readonly measure: (what: string, millis: number) => void
  /** Whether the scenario has that out of order just now. */
  readonly isDown: (what: "store_away" | "receivers_down") => boolean
  /** Tells that what is done may go unrecorded, and be done again, until then. */
  readonly upset: (until: Timestamp) => void
  /** How many of those have not ended. */
  readonly busy: () => number
}

/** Everything that the core needs of a simulated world. */
export type Services =
  | Channels
  | ContactRules
  | IdentityVerifier
  | Ids
  | Installation
  | Language
  | Messenger
  | RateLeases
  | Rates
  | ReceiverAddress
  | ResourceProbe
  | Revoker
  | Store
  | Vault
  | WallClock
  | WebhookSender

/** What the people of a world act with. */
export interface Scene {
  /** All that decides the run. */
  readonly script: Script
  readonly stage: Stage
  readonly network: Network
  /** How paid endpoints are entered. */
  readonly doors: Doors
  /** What reaches the service of what people say. */
  readonly hears: (text: string) => string
  readonly client: Client
  /** Where codes arrive. */
  readonly post: Post
  /** What is sold at addresses of sellers' own. */
  readonly shops: Shops
  readonly people: Population
  readonly callbacks: Callbacks
  /** What sees everything, for those who show it what rests. */
  readonly auditor: Auditor
  /** The store itself, without anything that slows or changes it. */
  readonly store: Store["Service"]
  /** What is done long after everything else has come to rest. */
  readonly later: Array<Effect.Effect<void, never, Services>>
}

type Act = Effect.Effect<void, never, Services>

/**
 * A part of the protocol as a world plays it beside the payments. Every phase is optional; those
 * of all parts go on at once, in the order in which `parts.ts` lists them. Chance is drawn from
 * streams of the part's own (`scene.stage.chance("name …")`), so that it changes no other part.
 */
export interface Part {
  readonly name: string
  /**
   * Costs as much as many payments: this share of the small worlds plays it, and all large ones do.
   */
  readonly heavy?: number
  /** This share of the large worlds plays it; all of them without it. */
  readonly large?: number
  /** Played only where a scenario asks for it. */
  readonly isAsked?: boolean
  /** What it is judged by, beside the invariants of the payments. */
  readonly rules?: Rulebook
  /** What those have to keep in mind. */
  readonly knowledge?: ReadonlyArray<AnyKnowledge>
  /** Before the first payment: what has to be there, such as accounts, terms and rows. */
  readonly prepare?: (scene: Scene) => Act
  /** Those who go on while payments are made; they are interrupted after the last. */
  readonly actors?: (scene: Scene) => ReadonlyArray<Act>
  /** What is done beside the payments and awaited like them, before the faults end. */
  readonly errands?: (scene: Scene) => ReadonlyArray<Act>
  /** What is done when all that has come to rest; the world comes to rest once more after it. */
  readonly later?: (scene: Scene) => ReadonlyArray<Act>
  /** At the end: shows the auditor what rests. */
  readonly inspect?: (scene: Scene) => Act
}
