import { MINUTE, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"

/**
 * Whether a channel is worth calling: `closed` lets everything through, `open` nothing until a
 * time, `half_open` one call at a time, which decides.
 */
export type Breaker =
  | { readonly type: "closed"; readonly failures: number }
  | { readonly type: "open"; readonly until: Timestamp; readonly times: number }
  | { readonly type: "half_open"; readonly since: Timestamp; readonly times: number }

/** So many failures without a success between them open the breaker. */
const FAILURES = 5

const SHORTEST = 5 * SECOND
const LONGEST = 5 * MINUTE

/** A trial whose end was never told counts as over after this long. */
const TRIAL = 15 * SECOND

/** A breaker of a channel that nothing is known of yet. */
export const closed: Breaker = { type: "closed", failures: 0 }

/** One that lies further ahead than any time is set to was set by a clock that has gone back. */
const waits = (until: Timestamp, now: Timestamp, longest: number): boolean =>
  now < until && until <= now + longest

/** Whether a call may be made now, and the breaker after that answer. */
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

/** The breaker after a call that the channel did not answer properly. */
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

/** The breaker after an answer. One that was asked for before it opened does not close it. */
export const answered = (breaker: Breaker): Breaker => (breaker.type === "open" ? breaker : closed)

/** Whether nothing is to be expected of the channel now. */
export const isOpen = (breaker: Breaker, now: Timestamp): boolean =>
  breaker.type === "open" && waits(breaker.until, now, LONGEST)
