import { MINUTE, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"

/**
 * A circuit breaker of one channel. `closed` admits every call, `open` none until a time, and
 * `half_open` one call at a time, whose outcome closes or opens it.
 */
export type Breaker =
  | { readonly type: "closed"; readonly failures: number }
  | { readonly type: "open"; readonly until: Timestamp; readonly times: number }
  | { readonly type: "half_open"; readonly since: Timestamp; readonly times: number }

/** This many failures in a row open the breaker. */
const FAILURES = 5

const SHORTEST = 5 * SECOND
const LONGEST = 5 * MINUTE

/** A trial call whose outcome was never reported counts as over after this long. */
const TRIAL = 15 * SECOND

/** The breaker of a channel that has not been called yet. */
export const closed: Breaker = { type: "closed", failures: 0 }

/** A time further ahead than `longest` was set before the clock was put back: it does not count. */
const waits = (until: Timestamp, now: Timestamp, longest: number): boolean =>
  now < until && until <= now + longest

/** Whether a call may be made now, and the breaker after it was admitted or not. */
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

/** The breaker after a call that failed. */
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

/** The breaker after an answer. An answer that comes while it is open does not close it. */
export const answered = (breaker: Breaker): Breaker => (breaker.type === "open" ? breaker : closed)

/** Whether the breaker admits no call now. */
export const isOpen = (breaker: Breaker, now: Timestamp): boolean =>
  breaker.type === "open" && waits(breaker.until, now, LONGEST)

/** The breaker as a number, for a metric: 0 admits every call, 1 a trial, 2 none. */
export const levelOf = (breaker: Breaker, now: Timestamp): 0 | 1 | 2 => {
  if (breaker.type === "closed") return 0
  return isOpen(breaker, now) ? 2 : 1
}
