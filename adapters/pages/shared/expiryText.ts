import { type Timestamp, toIso } from "../../../core/shared/Timestamp.ts"

/**
 * Returns an expiry without a countdown, in UTC: `14:32`, or `2026-02-01 14:32` where that is on
 * another day than `now`.
 */
export const expiryText = (expiry: Timestamp, now: Timestamp): string => {
  const [day = "", time = ""] = toIso(expiry).split("T")
  const isToday = toIso(now).startsWith(day)
  return isToday ? time.slice(0, 5) : `${day} ${time.slice(0, 5)}`
}
