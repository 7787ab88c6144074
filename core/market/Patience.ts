import { Context } from "effect"

/** How long a call may wait for a change at most, in seconds. */
export const LONGEST_WAIT = 25

/** Who may wait for a change, decided around a call by the edge. */
export interface Patience {
  /**
   * Asks to wait for so many milliseconds; `end` is called when nobody waits for the answer any
   * more, or nobody may. Returns what ends the wait; undefined where too many wait already.
   */
  readonly begin: (millis: number, end: () => void) => (() => void) | undefined
}

/** Without an edge that counts them, calls wait as they ask to. */
export const CurrentPatience = Context.Reference<Patience>("payport/core/market/Patience", {
  defaultValue: () => ({ begin: () => () => {} }),
})
