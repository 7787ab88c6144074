import { Clock, Effect, Schema } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import { billView } from "./BillView.ts"
import { billedPlan, cycleId } from "../accounts/BillingCycle.ts"
import { Failure } from "../shared/Failure.ts"
import { isMonth, monthOf } from "../shared/Month.ts"
import { readBill } from "./readBill.ts"

/** The query of `GET /v1/usage`. */
export const UsageQuery = Schema.Struct({
  month: Schema.optionalKey(
    Schema.String.check(
      Schema.makeFilter((text: string) => isMonth(text) || "must be a month, such as 2030-01"),
    ),
  ).annotateKey({
    description: "A UTC month that has begun, such as 2030-01. The default is the current month.",
  }),
})
/** A decoded {@link UsageQuery}. */
export type UsageQuery = typeof UsageQuery.Type

const notBegun = () => {
  const constraint = "must be a month that has begun"
  return new Failure({
    code: "INVALID_QUERY",
    message: `The query parameter month ${constraint}.`,
    field: "month",
    details: { field: "month", constraint },
  })
}

/**
 * Shows the caller's use of a month with its charges: the statement of a past month, otherwise the
 * bill so far, in which a currency that left the feed of rates is `unconverted` at once.
 *
 * Fails with `INVALID_QUERY` for a month to come, and with `TEMPORARILY_UNAVAILABLE` while the
 * rates are too old.
 */
export const showUsage = Effect.fn("showUsage")(function* ({ account }: Caller, query: UsageQuery) {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  const current = monthOf(now)
  const month = query.month ?? current
  if (month > current) return yield* notBegun()
  const closed = yield* store.findBy("statement", { account_id: account.id, month })
  if (closed !== undefined) return billView(closed.bill)
  const cycle = yield* store.find("billing_cycle", cycleId(account.id))
  const opened_at = cycle?.opened_at ?? account.created_at
  const plan = cycle === undefined ? account.plan : billedPlan(cycle, month)
  return billView(yield* readBill({ account_id: account.id, month, plan, opened_at }))
})
