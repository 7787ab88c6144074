import { Clock, Effect } from "effect"
import { byOperator, logged } from "../accountLog/logged.ts"
import { audited } from "../audit/audited.ts"
import { cycleId, openCycle, withPlan } from "./BillingCycle.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { Store, type Write } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"
import { isId } from "../shared/Id.ts"
import { type Account, accountView } from "./Account.ts"
import type { PlanInput } from "./AccountInput.ts"

/** Returns the write that records the account's new plan for billing. */
const billedBy = Effect.fnUntraced(function* (account: Account) {
  const now = yield* Clock.currentTimeMillis
  const cycle = yield* (yield* Store).find("billing_cycle", cycleId(account.id))
  const write: Write =
    cycle === undefined
      ? { op: "insert", kind: "billing_cycle", record: openCycle(account, now) }
      : { op: "replace", kind: "billing_cycle", record: withPlan(cycle, account.plan, now) }
  return write
})

/**
 * Moves an account to another plan (Monthly plans). Its limits change immediately. The month is
 * billed by the largest plan that the account had in it.
 */
export const changePlan = Effect.fn("changePlan")(function* (id: string, input: PlanInput) {
  const store = yield* Store
  if (!isId("acct", id)) return yield* notFound("account", id)
  return yield* retryConflict(
    Effect.gen(function* () {
      const account = yield* store.find("account", id)
      if (account === undefined) return yield* notFound("account", id)
      const isOther = account.plan !== input.plan
      const changed = { ...account, plan: input.plan }
      const view = accountView(changed)
      const plans = { from: account.plan, to: input.plan }
      yield* store.commit({
        writes: isOther
          ? [
              { op: "replace", kind: "account", record: changed },
              yield* billedBy(changed),
              yield* logged(byOperator(id), "account.plan_changed", id, plans),
            ]
          : [],
        ...(yield* replyWith(view)),
        ...(yield* audited("account.plan_changed", id, plans)),
      })
      return view
    }),
  )
})
