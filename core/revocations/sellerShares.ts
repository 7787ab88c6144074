import { SECOND } from "../shared/Timestamp.ts"
import type { ShareRule } from "../webhooks/deliveries/Share.ts"

/** A seller's system that takes longer is about to time out, in milliseconds. */
const SOON = 3 * SECOND

/**
 * Returns how many of a worker's hands may wait for one seller's system, by the milliseconds that
 * its answers took: all of them until it hangs. Each answer that takes too long halves the share,
 * and each other one adds a hand.
 */
export const sellerShares = (hands: number): ShareRule<number> => ({
  first: hands,
  next: (share, took) =>
    took > SOON ? Math.max(Math.floor(share / 2), 1) : Math.min(share + 1, hands),
})
