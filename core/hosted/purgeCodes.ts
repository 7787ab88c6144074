import { Clock, Effect } from "effect"
import { Store } from "../ports/Store.ts"
import { utcDay } from "../shared/Timestamp.ts"
import { CODE_COUNTERS } from "./CodeLimit.ts"

/** Removes the counters of printed codes of past days. Returns how many were removed. */
export const purgeCodes = Effect.fn("purgeCodes")(function* () {
  const today = utcDay(yield* Clock.currentTimeMillis)
  return yield* (yield* Store).purgeDayCounters(CODE_COUNTERS, today)
})
