import { Clock, Effect } from "effect"
import { Store } from "../../ports/Store.ts"
import { DAY, utcDay } from "../../shared/Timestamp.ts"
import { DAY_COUNTERS } from "./Limits.ts"

/**
 * How many days a daily sum is kept after its day. Reservations are made on the day itself; within
 * these days a payment that ends unpaid still gives back what it reserved.
 */
const KEPT_DAYS = 7

/** Removes the daily sums of days that are older. Returns how many were removed. */
export const purgeDays = Effect.fn("purgeDays")(function* () {
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Store).purgeDayCounters(DAY_COUNTERS, utcDay(now - KEPT_DAYS * DAY))
})
