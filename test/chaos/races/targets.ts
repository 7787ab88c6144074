import { codes } from "./codes.ts"
import { keys } from "./keys.ts"
import { dailyLimit, spendCap } from "./limits.ts"
import { captures, endings } from "./payments.ts"
import { fullRefunds, partialRefunds } from "./refunds.ts"
import type { Target } from "./Target.ts"

/**
 * The races. The one that moves the clock comes first: later there are thousands of unpaid
 * payments, which would all expire on the way.
 */
export const TARGETS: ReadonlyArray<Target> = [
  endings,
  captures,
  fullRefunds,
  partialRefunds,
  keys,
  spendCap,
  dailyLimit,
  codes,
]
