import { Effect } from "effect"
import { audited } from "../audit/audited.ts"
import { replyWith } from "../idempotency/Once.ts"
import { Store } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"
import { isId } from "../shared/Id.ts"
import { retryConflict } from "../shared/retryConflict.ts"
import { accountView } from "./Account.ts"
import type { PlanInput } from "./AccountInput.ts"

/** Moves an account to another plan (Monthly plans). Fails with `NOT_FOUND`. */
export const changePlan = Effect.fn("changePlan")(function* (id: string, input: PlanInput) {
  const store = yield* Store
  if (!isId("acct", id)) return yield* notFound("account", id)
  return yield* retryConflict(
    Effect.gen(function* () {
      const account = yield* store.findAccount(id)
      if (account === undefined) return yield* notFound("account", id)
      const isOther = account.plan !== input.plan
      const changed = { ...account, plan: input.plan }
      const view = accountView(changed)
      yield* store.commit({
        writes: isOther ? [{ op: "replace", kind: "account", record: changed }] : [],
        ...(yield* replyWith(view)),
        ...(yield* audited("account.plan_changed", id, { from: account.plan, to: input.plan })),
      })
      return view
    }),
  )
})
