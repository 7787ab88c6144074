import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"

/** The longest pause that a channel can ask for, in seconds. */
export const LONGEST = 3_600

/**
 * The seconds of a `Retry-After` header, which holds a number or a date: from one to 3,600, and one
 * where the header is neither.
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
