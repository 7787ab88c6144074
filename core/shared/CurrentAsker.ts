import { Context } from "effect"

/** The caller of a read, and whether an answer that is some moments old is accepted. */
export interface Asker {
  /** The account id whose writes the answer has to show, as a rule; null if unknown. */
  readonly name: string | null
  /**
   * Called with the possible age of what was read, in milliseconds. Without it every answer is
   * current. A decision that depends on what it reads does not set it.
   */
  readonly accepts?: ((age: number) => void) | undefined
}

const NOBODY: Asker = { name: null }

/** The caller, set around a request by the edge. Work without a caller reads current data. */
export const CurrentAsker = Context.Reference<Asker>("payport/core/shared/CurrentAsker", {
  defaultValue: () => NOBODY,
})
