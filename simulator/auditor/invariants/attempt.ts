import type { Kind, Records } from "../../../core/ports/Store.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Model } from "../Model.ts"
import { kept } from "./ownership.ts"

/** A request at rest about a record. */
export interface Attempt {
  readonly deed: string
  readonly id: string
  /** The account that sends it. */
  readonly account: string
  readonly sent: { readonly [name: string]: unknown }
  readonly at: Timestamp
}

/** The answers that are right; undefined if the request could have an effect. */
export type Right = ReadonlyArray<string> | undefined

export const SAME = ["success"]
export const ABSENT = ["NOT_FOUND"]
export const NOT_THEIRS = ["FORBIDDEN"]
export const NO_MOVE = ["INVALID_TRANSITION"]

/** Returns the records of a kind as they were committed last; null for one that was removed. */
export const recordsOf = <K extends Kind>(model: Model, kind: K) =>
  model.know(kept).get(kind) as ReadonlyMap<string, Records[K] | null> | undefined

/** Returns a record as it was committed last. */
export const recordOf = <K extends Kind>(
  model: Model,
  kind: K,
  id: string,
): Records[K] | undefined => recordsOf(model, kind)?.get(id) ?? undefined
