import { Effect, Schema } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { findVisible } from "../payments/access.ts"
import { Store } from "../ports/Store.ts"
import { badCursor, PageQuery } from "../shared/Page.ts"
import { getRefund } from "./getRefund.ts"
import type { Refund } from "./Refund.ts"
import { showRefund } from "./showRefund.ts"

/** The query of `GET /v1/refunds`. */
export const ListRefundsQuery = Schema.Struct({
  payment_intent: Schema.optionalKey(Schema.NonEmptyString),
  ...PageQuery.fields,
})
export type ListRefundsQuery = typeof ListRefundsQuery.Type

const show = Effect.fnUntraced(function* (caller: Caller, refund: Refund) {
  const intent = yield* (yield* Store).findIntent(refund.payment_intent)
  return intent === undefined ? [] : [yield* showRefund(refund, intent, caller.account.id)]
})

/**
 * The refunds of a payment, for those who take part in it, or else all that the caller has given;
 * newest first, a page at a time.
 *
 * Fails with `NOT_FOUND` for an unknown payment, and with `INVALID_QUERY` where `starting_after`
 * names no refund.
 */
export const listRefunds = Effect.fn("listRefunds")(function* (
  caller: Caller,
  { limit, payment_intent, starting_after }: ListRefundsQuery,
) {
  const store = yield* Store
  if (payment_intent !== undefined) yield* findVisible(caller, payment_intent)
  if (starting_after !== undefined) {
    yield* getRefund(caller, starting_after).pipe(
      Effect.catchTag("Failure", () => Effect.fail(badCursor("refund", starting_after))),
    )
  }
  const found = yield* store.listRefunds({
    ...(payment_intent === undefined
      ? { payee_account_id: caller.account.id }
      : { payment_intent }),
    ...(starting_after !== undefined && { starting_after }),
    limit: limit + 1,
  })
  const shown = yield* Effect.forEach(found.slice(0, limit), (refund) => show(caller, refund))
  return { data: shown.flat(), has_more: found.length > limit }
})
