import { Context } from "effect"

/** The time until which the caller waits for an answer. */
export interface Deadline {
  /** Returns the milliseconds left, negative once over, by a clock that never jumps. */
  readonly left: () => number
}

/** No deadline: a worker's own work takes as long as its steps do. */
export const NO_DEADLINE: Deadline = { left: () => Infinity }

/** The deadline, set around a request by the edge. All waits for the request end by then. */
export const CurrentDeadline = Context.Reference<Deadline>("payport/core/shared/CurrentDeadline", {
  defaultValue: () => NO_DEADLINE,
})
