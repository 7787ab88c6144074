import { Context } from "effect"

/** The longest time that a call may wait for a change, in seconds. */
export const LONGEST_WAIT = 25

/** Limits how many calls wait for changes. The edge sets it around a call. */
export interface Patience {
  /**
   * Requests a wait of `millis`. Calls `end` when the caller has gone away, or when waiting is no
   * longer allowed. Returns a function that ends the wait; undefined where too many calls are
   * waiting.
   */
  readonly begin: (millis: number, end: () => void) => (() => void) | undefined
}

/** By default, calls wait without a limit on their number. */
export const CurrentPatience = Context.Reference<Patience>("payport/core/market/Patience", {
  defaultValue: () => ({ begin: () => () => {} }),
})
