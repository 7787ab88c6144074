import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { findVisible } from "../payments/access.ts"
import { Store } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"
import { isId } from "../shared/Id.ts"
import { showRefund } from "./showRefund.ts"

/** Returns the refund with its payment, for an account that takes part in the payment. */
const findVisibleRefund = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const missing = notFound("refund", id)
  const store = yield* Store
  const refund = isId("ref", id) ? yield* store.find("refund", id) : undefined
  if (refund === undefined) return yield* missing
  const intent = yield* findVisible(caller, refund.payment_intent).pipe(
    Effect.catchTag("Failure", () => Effect.fail(missing)),
  )
  return { refund, intent }
})

/** Returns a refund to an account that takes part in its payment (Refunds and revocations). */
export const getRefund = Effect.fn("getRefund")(function* (caller: Caller, id: string) {
  const { intent, refund } = yield* findVisibleRefund(caller, id)
  return yield* showRefund(refund, intent, caller.account.id)
})
