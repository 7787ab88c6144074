import { Context } from "effect"

/** Who asks, and whether an answer of some moments ago will do. */
export interface Asker {
  /** Whose writes an answer has to show: an account's id, as a rule. Null where nobody is known. */
  readonly name: string | null
  /**
   * Told how old, in milliseconds, what was read may be. Without it every answer is of now: whoever
   * decides by what it reads has none.
   */
  readonly accepts?: ((age: number) => void) | undefined
}

const NOBODY: Asker = { name: null }

/** Set around a request by the edge. Work that nobody has asked for reads what is there now. */
export const CurrentAsker = Context.Reference<Asker>("payport/core/shared/CurrentAsker", {
  defaultValue: () => NOBODY,
})
