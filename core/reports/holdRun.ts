import { Clock, Effect } from "effect"
import { Store } from "../ports/Store.ts"
import { MINUTE } from "../shared/Timestamp.ts"
import type { ReconciliationRun } from "./ReconciliationRun.ts"

/** A run whose worker has not renewed it for so long may be taken by another. */
const HELD = 5 * MINUTE

/**
 * Takes a run on for as long as it takes: a day of many payments outlasts the lease of a claim. It
 * falls due again by itself, should its worker never come back. `renew` is called every now and
 * then and fails with `Conflict` once somebody else has the run; `held` is the run as it is stored.
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

/** What keeps a run its worker's own while it reads. */
export type Renew = Effect.Success<ReturnType<typeof holdRun>>["renew"]
