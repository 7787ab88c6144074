import { codes } from "./codes.ts"
import { keys } from "./keys.ts"
import { dailyLimit, spendCap } from "./limits.ts"
import { captures, endings } from "./payments.ts"
import { fullRefunds, partialRefunds } from "./refunds.ts"
import type { Target } from "./Target.ts"

/**
 * What is raced for. The one that moves the clock comes first, before there are thousands of
 * payments that nobody pays, each of which ends on the clock's way.
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
