import type { WebhookOutcome } from "../ports/WebhookSender.ts"
import { SECOND } from "../shared/Timestamp.ts"

/** How many attempts at a receiver of which nothing is known are under way at a time. */
export const FIRST_SHARE = 8

/** How many at one that answers at once. */
const LARGEST = 64

/** How many at one that answers, but takes its time. */
const SLOW = 4

/** An answer that takes longer is slow, in milliseconds. */
const SOON = SECOND

/**
 * How many attempts at a receiver may be under way after one that came to this: one more for each
 * that it takes at once, half as many for each that it takes slowly or not at all. A receiver that
 * takes none is tried one at a time, so that it costs the others next to nothing.
 */
export const nextShare = (share: number, { duration_ms, status }: WebhookOutcome): number => {
  const half = Math.floor(share / 2)
  if (status === null || status >= 500 || status === 429) return Math.max(half, 1)
  return duration_ms > SOON ? Math.max(half, SLOW) : Math.min(share + 1, LARGEST)
}
