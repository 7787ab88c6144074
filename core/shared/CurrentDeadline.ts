import { Context } from "effect"

/** Until when somebody waits for an answer. */
export interface Deadline {
  /** The milliseconds that are left, below zero once it is over, by a clock that never jumps. */
  readonly left: () => number
}

/** Nobody waits: what a worker does by itself takes as long as its steps do. */
export const NO_DEADLINE: Deadline = { left: () => Infinity }

/** Set around a request by the edge. Whatever waits on its behalf waits no longer. */
export const CurrentDeadline = Context.Reference<Deadline>("payport/core/shared/CurrentDeadline", {
  defaultValue: () => NO_DEADLINE,
})
