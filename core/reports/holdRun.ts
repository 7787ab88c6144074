import { Clock, Effect } from "effect"
import { Store } from "../ports/Store.ts"
import { MINUTE } from "../shared/Timestamp.ts"
import type { ReconciliationRun } from "./ReconciliationRun.ts"

/** How long a run belongs to its worker without renewal, in milliseconds. */
const HELD = 5 * MINUTE

/**
 * Keeps a run with its worker for a long time, since a day of many payments outlasts the lease of a
 * claim. The run becomes due again if its worker dies. Call `renew` repeatedly; it fails with
 * `Conflict` once another worker has the run. `held` returns the run as it is stored.
 */
export const holdRun = Effect.fnUntraced(function* (claimed: ReconciliationRun) {
  const store = yield* Store
  let held = claimed
  let until = 0
  const take = Effect.fnUntraced(function* (now: number) {
    const record = { ...held, due_at: now + HELD }
    yield* store.commit({ writes: [{ op: "replace", kind: "reconciliation_run", record }] })
    held = { ...record, version: record.version + 1 }
    until = record.due_at
  })
  const renew = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    now < until - HELD / 2 ? Effect.void : take(now),
  )
  yield* renew
  return { renew, held: () => held }
})

/** Renews a worker's hold of its run while it reads. */
export type Renew = Effect.Success<ReturnType<typeof holdRun>>["renew"]
