import { Clock, Effect } from "effect"
import { Store } from "../ports/Store.ts"
import { utcDay } from "../shared/Timestamp.ts"
import { CODE_COUNTERS } from "./CodeLimit.ts"

/** Forgets how many payments printed codes made on days that are over. Returns how many counts. */
export const purgeCodes = Effect.fn("purgeCodes")(function* () {
  const today = utcDay(yield* Clock.currentTimeMillis)
  return yield* (yield* Store).purgeDayCounters(CODE_COUNTERS, today)
})
