import type { HostedPayment } from "../../../core/hosted/HostedPayment.ts"
import { toIso } from "../../../core/shared/Timestamp.ts"

/**
 * Returns an expiry without a countdown: `14:32`, or `2026-02-01 14:32` where that is on another
 * day than `left` milliseconds before.
 */
export const expiryText = ({ expires_at, left }: Pick<HostedPayment, "expires_at" | "left">) => {
  const [day = "", time = ""] = toIso(expires_at).split("T")
  const isToday = toIso(expires_at - left).startsWith(day)
  return isToday ? time.slice(0, 5) : `${day} ${time.slice(0, 5)}`
}
