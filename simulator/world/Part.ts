import type { Effect } from "effect"
import type { Invariant } from "../auditor/Invariant.ts"
import type { AnyKnowledge } from "../auditor/Knowledge.ts"
import type { Scene } from "./Scene.ts"
import type { Services } from "./Services.ts"

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
  /** What it is judged by, beside the invariants of the payments; numbers are nobody else's. */
  readonly invariants?: ReadonlyArray<Invariant>
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
