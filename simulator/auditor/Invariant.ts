import type { Model } from "./Model.ts"
import type { ObservationKind, Observations } from "./Observation.ts"

/** What is wrong, in words; undefined when the rule holds. */
export type Finding = string | undefined

/** The rule of an invariant for each kind of observation that it speaks of. */
export type Rules = {
  readonly [K in ObservationKind]?: (seen: Observations[K], model: Model) => Finding
}

/** Something that is true at every step of every world, or at its end. */
export interface Invariant {
  readonly number: number
  readonly name: string
  /** The section of the specification that it comes from. */
  readonly section: string
  readonly check: Rules
}

/** An invariant; `section` is that of the specification. */
export const invariant = (
  number: number,
  name: string,
  section: string,
  check: Rules,
): Invariant => ({ number, name, section, check })
