import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"

/** No channel is left alone for more seconds than that at its own word. */
export const LONGEST = 3_600

/**
 * The seconds of a `Retry-After`, which is a number of them or a date: at least one and an hour at
 * most, and one where it is neither.
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
