import { Clock, Effect } from "effect"
import { Store } from "../../ports/Store.ts"
import { DAY, utcDay } from "../../shared/Timestamp.ts"
import { DAY_COUNTERS } from "./Limits.ts"

/**
 * How long a day's sum is kept after its day. Only the day itself reserves on it; for this long a
 * payment that ends late gives its part back to it.
 */
const KEPT_DAYS = 7

/** Forgets what was spent on days that are long over. Returns how many sums that were. */
export const purgeDays = Effect.fn("purgeDays")(function* () {
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Store).purgeDayCounters(DAY_COUNTERS, utcDay(now - KEPT_DAYS * DAY))
})
