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

/** What all parts of a world share: its time, its randomness, its faults, its helpers. */
export interface Stage {
  readonly now: () => Timestamp
  /** Returns the random stream with that name. */
  readonly chance: (name: string) => Chance
  /** Returns the world's faults; none once they have stopped. */
  readonly faults: () => Faults
  readonly log: FaultLog
  /** Starts an effect that runs by itself, independent of its caller. */
  readonly spawn: (effect: Effect.Effect<void, never, Services>) => void
  /** Runs an effect in one of the service's processes, which may end before it answers. */
  readonly serve: <A, E>(
    effect: Effect.Effect<A, E, Services>,
  ) => Effect.Effect<A, E | ConnectionLost>
  /** Counts an event of a payment, in the words of a channel or of the tables. */
  readonly visit: (intentId: string, what: string) => void
  /** Counts a duration in virtual time. */
  readonly measure: (what: string, millis: number) => void
  /** Whether the scenario has an outage of that at the moment. */
  readonly isDown: (what: "store_away" | "receivers_down") => boolean
  /** Reports that actions until then may not be recorded, and may be repeated. */
  readonly upset: (until: Timestamp) => void
  /** Returns how many spawned effects have not ended. */
  readonly busy: () => number
}

/** Everything that the core needs in a simulated world. */
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

/** Everything that the people of a world act with. */
export interface Scene {
  /** The script, which decides the run. */
  readonly script: Script
  readonly stage: Stage
  readonly network: Network
  /** The doors of paid endpoints. */
  readonly doors: Doors
  /** Returns the part of people's words that reaches the service. */
  readonly hears: (text: string) => string
  readonly client: Client
  /** Where verification codes arrive. */
  readonly post: Post
  /** The resources at sellers' own addresses. */
  readonly shops: Shops
  readonly people: Population
  readonly callbacks: Callbacks
  /** The auditor, to which parts show the state at rest. */
  readonly auditor: Auditor
  /** The store itself, without anything that slows or changes it. */
  readonly store: Store["Service"]
  /** Actions for long after everything is at rest. */
  readonly later: Array<Effect.Effect<void, never, Services>>
}

type Act = Effect.Effect<void, never, Services>

/**
 * A part of the protocol that a world plays besides the payments. Every phase is optional; those of
 * all parts run at the same time, in the order of `parts.ts`. A part draws from its own random
 * streams (`scene.stage.chance("name …")`), so that it changes no other part.
 */
export interface Part {
  readonly name: string
  /**
   * Set if it costs as much as many payments: the share of small worlds that play it. All large
   * ones do.
   */
  readonly heavy?: number
  /** The share of the large worlds that play it; all by default. */
  readonly large?: number
  /** Whether it is played only if a scenario asks for it. */
  readonly isAsked?: boolean
  /** Its rules, besides the invariants of the payments. */
  readonly rules?: Rulebook
  /** The knowledge that these rules need. */
  readonly knowledge?: ReadonlyArray<AnyKnowledge>
  /** Before the first payment: creates what has to exist, such as accounts, terms and rows. */
  readonly prepare?: (scene: Scene) => Act
  /** Actors during the payments; they are interrupted after the last payment. */
  readonly actors?: (scene: Scene) => ReadonlyArray<Act>
  /** Actions during the payments, awaited like these, before the faults end. */
  readonly errands?: (scene: Scene) => ReadonlyArray<Act>
  /** Actions when everything is at rest; afterwards the world comes to rest again. */
  readonly later?: (scene: Scene) => ReadonlyArray<Act>
  /** At the end: shows the auditor the state at rest. */
  readonly inspect?: (scene: Scene) => Act
}
