import type { WebhookOutcome } from "./WebhookOutcome.ts"
import { SECOND } from "../../shared/Timestamp.ts"

/** How many records of one receiver a claim hands out. */
export interface Shares {
  /** Of a receiver that `left` does not name. */
  readonly each: number
  readonly left: ReadonlyMap<string, number>
}

/** How many attempts at a receiver of which nothing is known are under way at a time. */
export const FIRST_SHARE = 8

/** How many at one that answers at once. */
const LARGEST = 64

/** How many at one that answers, but takes its time. */
const SLOW = 4

/** How many at one that takes none, where there are hands enough. */
const DEAD = 16

/** An answer that takes longer is slow, in milliseconds. */
const SOON = SECOND

/**
 * How many attempts at a receiver may be under way after one that came to this: one more for each
 * that it takes at once, half as many for each that it takes slowly or not at all. What is not sent
 * at all keeps nobody, so that a backlog that is to be skipped goes in bulk.
 */
export const nextShare = (share: number, outcome: WebhookOutcome | undefined): number => {
  if (outcome === undefined) return Math.min(2 * share, LARGEST)
  const { duration_ms, status } = outcome
  const half = Math.floor(share / 2)
  if (status === null || status >= 500 || status === 429) return Math.max(half, 1)
  return duration_ms > SOON ? Math.max(half, SLOW) : Math.min(share + 1, LARGEST)
}

/**
 * How many attempts at a receiver that takes none are under way at least. Receivers in trouble have
 * a quarter of all hands between them: a few get enough for ten thousand deliveries to time out
 * within hours, and many of them take no more from the others than a few do.
 */
export const leastShare = (hands: number, receivers: number): number =>
  Math.min(Math.max(Math.floor(hands / 4 / Math.max(receivers, 1)), 1), DEAD)
