import type { ConflictReason, Reservation } from "../commits/Commit.ts"
import { Failure } from "../shared/Failure.ts"
import { MINUTE, SECOND, type Timestamp, toIso, utcDay } from "../shared/Timestamp.ts"

/** How long the windows are in which payments of a printed code are counted. */
const WINDOW = 10 * MINUTE

/**
 * So many payments are made by the printed code of one service in a window: one every two seconds.
 * Whoever scans it is nobody in particular, and each network is held to one a second only.
 */
const MOST_BY_CODE = 300

/** What the names of their counters begin with. They end in a day, and leave when it is over. */
export const CODE_COUNTERS = "static_code:"

const windowOf = (at: Timestamp): Timestamp => Math.floor(at / WINDOW) * WINDOW

/** Counts a payment that is made by a service's printed code. */
export const countByCode = (service_id: string, at: Timestamp): Reservation => {
  const window = windowOf(at)
  const time = toIso(window).slice(11, 16)
  const counter = `${CODE_COUNTERS}${service_id}:${time}:${utcDay(window)}`
  return { counter, add: 1, limit: MOST_BY_CODE }
}

/** Whether a commit was refused since the code has made as many as it may for now. */
export const isCodeFull = (reason: ConflictReason): boolean =>
  reason.type === "limit_reached" && reason.counter.startsWith(CODE_COUNTERS)

/** Refuses whoever comes after them. */
export const codeIsFull = (at: Timestamp) =>
  new Failure({
    code: "RATE_LIMIT_EXCEEDED",
    message: "Too many payments are made by this code right now. Try again in some minutes.",
    retry_after: Math.max(1, Math.ceil((windowOf(at) + WINDOW - at) / SECOND)),
  })
