import { Clock, Effect } from "effect"
import { REFUSAL_COUNTERS, USE_COUNTERS } from "../accountLog/LogEntry.ts"
import { Store } from "../ports/Store.ts"
import { DAY, utcDay } from "../shared/Timestamp.ts"
import { ALERT_COUNTERS, KEY_COUNTERS, PROOF_COUNTERS, SPEND_COUNTERS } from "./Budget.ts"

/**
 * Days for which sums and alerts are kept after the first day of their period: the longest month,
 * and a week in which a payment that ends late still gives back what it reserved.
 */
const KEPT_DAYS = 31 + 7

const PERIODICAL = [
  SPEND_COUNTERS,
  KEY_COUNTERS,
  ALERT_COUNTERS,
  REFUSAL_COUNTERS,
  USE_COUNTERS,
  PROOF_COUNTERS,
]

/**
 * Removes the counters of periods that ended long ago: sums, alerts and used proofs. Returns how
 * many were removed.
 */
export const purgePeriods = Effect.fn("purgePeriods")(function* () {
  const day = utcDay((yield* Clock.currentTimeMillis) - KEPT_DAYS * DAY)
  const store = yield* Store
  const purged = yield* Effect.forEach(PERIODICAL, (prefix) => store.purgeDayCounters(prefix, day))
  return purged.reduce((sum, one) => sum + one, 0)
})
