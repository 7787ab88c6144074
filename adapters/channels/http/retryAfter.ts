import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"

/** The longest pause that a channel can ask for, in seconds. */
export const LONGEST = 3_600

/**
 * Returns the seconds of a `Retry-After` header with a number or a date: 1 to 3,600, and 1 for any
 * other header.
 */
export const retryAfter = (header: unknown, now: Timestamp): number => {
  const text = typeof header === "string" ? header.trim() : ""
  const until = Date.parse(text)
  const seconds = /^\d{1,9}$/.test(text)
    ? Number(text)
    : Number.isNaN(until)
      ? 1
      : Math.ceil((until - now) / SECOND)
  return Math.min(Math.max(seconds, 1), LONGEST)
}
