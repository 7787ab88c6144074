import type { Effect } from "effect"
import type { Store } from "../../core/ports/Store.ts"
import type { Auditor } from "../auditor/Auditor.ts"
import type { Callbacks } from "../channels/Callbacks.ts"
import type { Network } from "../channels/Network.ts"
import type { Post } from "../ports/identity.ts"
import type { Client } from "./people/Client.ts"
import type { Population } from "./people/Population.ts"
import type { Script } from "./plans/Plan.ts"
import type { Services, Stage } from "./Stage.ts"
import type { Rulebook } from "../auditor/Observation.ts"
import type { AnyKnowledge } from "../auditor/Knowledge.ts"

/** What the people of a world act with. */
export interface Scene {
  /** All that decides the run. */
  readonly script: Script
  readonly stage: Stage
  readonly network: Network
  readonly client: Client
  /** Where codes arrive. */
  readonly post: Post
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
