import type { ConflictReason, Reservation } from "../commits/Commit.ts"
import { Failure } from "../shared/Failure.ts"
import { MINUTE, SECOND, type Timestamp, toIso, utcDay } from "../shared/Timestamp.ts"

/** The length of the windows in which payments of a printed code are counted, in milliseconds. */
const WINDOW = 10 * MINUTE

/**
 * The most payments by one service's printed code in a window: one every two seconds. Scanners are
 * anonymous, and the limit per network, one a second, is not enough.
 */
const MOST_BY_CODE = 300

/** Prefix of the names of the counters. They end in a day and are removed after it. */
export const CODE_COUNTERS = "static_code:"

const windowOf = (at: Timestamp): Timestamp => Math.floor(at / WINDOW) * WINDOW

/** Counts a payment that is made by a service's printed code. */
export const countByCode = (service_id: string, at: Timestamp): Reservation => {
  const window = windowOf(at)
  const time = toIso(window).slice(11, 16)
  const counter = `${CODE_COUNTERS}${service_id}:${time}:${utcDay(window)}`
  return { counter, add: 1, limit: MOST_BY_CODE }
}

/** Tells whether a commit was refused because the code has reached its limit. */
export const isCodeFull = (reason: ConflictReason): boolean =>
  reason.type === "limit_reached" && reason.counter.startsWith(CODE_COUNTERS)

/** Makes the failure of a payment over the limit. */
export const codeIsFull = (at: Timestamp) =>
  new Failure({
    code: "RATE_LIMIT_EXCEEDED",
    message: "Too many payments use this code right now. Try again in a few minutes.",
    retry_after: Math.max(1, Math.ceil((windowOf(at) + WINDOW - at) / SECOND)),
  })
