import type { WebhookOutcome } from "./WebhookOutcome.ts"
import { SECOND } from "../../shared/Timestamp.ts"

/** How many records of one receiver a claim hands out. */
export interface Shares {
  /** For a receiver that `left` does not name. */
  readonly each: number
  readonly left: ReadonlyMap<string, number>
}

/** How many attempts may be under way at a receiver, by how its earlier ones ended. */
export interface ShareRule<Outcome> {
  /** The share of a receiver without history. */
  readonly first: number
  readonly next: (share: number, outcome: Outcome) => number
}

/** The most attempts under way at a receiver that answers quickly. */
const LARGEST = 64

/** The fewest attempts under way at a receiver that answers slowly. */
const SLOW = 4

/** The most attempts under way at a receiver that accepts none, if there are enough hands. */
const DEAD = 16

/** The longest quick answer, in milliseconds. */
const SOON = SECOND

/**
 * Returns how many attempts at a receiver may be under way after this outcome: one more after a
 * quick answer, half as many after a slow answer, a 5xx, a 429 or none. An undefined outcome was
 * not sent at all and takes no time: it doubles the share, so that a backlog to be skipped goes in
 * bulk.
 */
export const nextShare = (share: number, outcome: WebhookOutcome | undefined): number => {
  if (outcome === undefined) return Math.min(2 * share, LARGEST)
  const { duration_ms, status } = outcome
  const half = Math.floor(share / 2)
  if (status === null || status >= 500 || status === 429) return Math.max(half, 1)
  return duration_ms > SOON ? Math.max(half, SLOW) : Math.min(share + 1, LARGEST)
}

/** The rule of webhooks. `undefined` stands for a delivery that was not sent. */
export const DELIVERY_SHARES: ShareRule<WebhookOutcome | undefined> = { first: 8, next: nextShare }

/** Tells whether a receiver with this share is one of those that together have a quarter. */
export const isFailing = (share: number, { first }: Pick<ShareRule<never>, "first">): boolean =>
  share < Math.min(first, DEAD)

/**
 * Returns the least number of attempts under way at a receiver that accepts none. Failing receivers
 * together have a quarter of all hands. A few get enough for ten thousand deliveries to time out
 * within hours. Many take no more from the others than a few do.
 */
export const leastShare = (hands: number, receivers: number): number =>
  Math.min(Math.max(Math.floor(hands / 4 / Math.max(receivers, 1)), 1), DEAD)
