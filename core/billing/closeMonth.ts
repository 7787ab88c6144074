import { Clock, Effect } from "effect"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import { advanced, billedPlan, type BillingCycle } from "../accounts/BillingCycle.ts"
import { readBill, waitsForRates } from "./readBill.ts"
import type { Statement } from "./Statement.ts"

/**
 * Makes the statement of a month that is over, and moves the cycle to the next month, which may be
 * over too after an outage (Per-API usage fees: billed at month end). A worker calls it with the
 * claimed cycle. A second worker fails with `Conflict`.
 */
export const closeMonth = Effect.fn("closeMonth")(function* (cycle: BillingCycle) {
  const now = yield* Clock.currentTimeMillis
  if (cycle.due_at === null || now < cycle.due_at) return
  const { account_id, month, opened_at } = cycle
  const plan = billedPlan(cycle, month)
  const waits = waitsForRates(month, now)
  const statement: Statement = {
    id: `stmt_${(yield* Ids).uuid()}`,
    version: 1,
    account_id,
    month,
    bill: yield* readBill({ account_id, month, plan, opened_at, waits }),
    created_at: now,
  }
  yield* (yield* Store).commit({
    writes: [
      { op: "insert", kind: "statement", record: statement },
      { op: "replace", kind: "billing_cycle", record: advanced(cycle) },
    ],
  })
})
