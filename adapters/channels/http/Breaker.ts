import { MINUTE, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"

/**
 * A circuit breaker of one channel. `closed` admits every call. `open` admits none until a time.
 * `half_open` admits one call at a time, whose outcome closes or opens it.
 */
export type Breaker =
  | { readonly type: "closed"; readonly failures: number }
  | { readonly type: "open"; readonly until: Timestamp; readonly times: number }
  | { readonly type: "half_open"; readonly since: Timestamp; readonly times: number }

/** The number of consecutive failures that opens the breaker. */
const FAILURES = 5

const SHORTEST = 5 * SECOND
const LONGEST = 5 * MINUTE

/** A trial call without a reported outcome counts as over after this time. */
const TRIAL = 15 * SECOND

/** The breaker of a channel that was not called yet. */
export const closed: Breaker = { type: "closed", failures: 0 }

/** A time further ahead than `longest` is from before the clock was set back: it does not count. */
const waits = (until: Timestamp, now: Timestamp, longest: number): boolean =>
  now < until && until <= now + longest

/** Returns whether a call may be made now, and the breaker after that decision. */
export const admit = (
  breaker: Breaker,
  now: Timestamp,
): { readonly admitted: boolean; readonly breaker: Breaker } => {
  switch (breaker.type) {
    case "closed":
      return { admitted: true, breaker }
    case "open":
      return waits(breaker.until, now, LONGEST)
        ? { admitted: false, breaker }
        : { admitted: true, breaker: { type: "half_open", since: now, times: breaker.times } }
    case "half_open":
      return waits(breaker.since + TRIAL, now, TRIAL)
        ? { admitted: false, breaker }
        : { admitted: true, breaker: { ...breaker, since: now } }
  }
}

const open = (times: number, now: Timestamp): Breaker => ({
  type: "open",
  until: now + Math.min(SHORTEST * 2 ** times, LONGEST),
  times: times + 1,
})

/** Returns the breaker after a failed call. */
export const failed = (breaker: Breaker, now: Timestamp): Breaker => {
  switch (breaker.type) {
    case "closed":
      return breaker.failures + 1 < FAILURES
        ? { type: "closed", failures: breaker.failures + 1 }
        : open(0, now)
    case "open":
      return breaker
    case "half_open":
      return open(breaker.times, now)
  }
}

/** Returns the breaker after an answer. An answer while it is open does not close it. */
export const answered = (breaker: Breaker): Breaker => (breaker.type === "open" ? breaker : closed)

/** Whether the breaker admits no call now. */
export const isOpen = (breaker: Breaker, now: Timestamp): boolean =>
  breaker.type === "open" && waits(breaker.until, now, LONGEST)

/** Returns the breaker as a metric: 0 admits every call, 1 a trial, 2 none. */
export const levelOf = (breaker: Breaker, now: Timestamp): 0 | 1 | 2 => {
  if (breaker.type === "closed") return 0
  return isOpen(breaker, now) ? 2 : 1
}
