import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { findVisible } from "../payments/access.ts"
import { type ListedBy, Store } from "../ports/Store.ts"
import { badCursor } from "../shared/Page.ts"
import { findVisibleRequest } from "./access.ts"
import { REFUND_REQUEST_STATUSES } from "./RefundRequest.ts"
import type { ListRefundRequestsQuery } from "./RefundRequestInput.ts"
import { refundRequestView } from "./RefundRequestView.ts"

/** Returns a refund request to those who take part in its payment. */
export const getRefundRequest = Effect.fn("getRefundRequest")(function* (
  caller: Caller,
  id: string,
) {
  return refundRequestView(yield* findVisibleRequest(caller, id))
})

/**
 * Returns a page of the refund requests that the caller has made or decides, or of those of one
 * payment, newest first.
 *
 * Fails with `NOT_FOUND` for an unknown payment, and with `INVALID_QUERY` if `starting_after` is no
 * refund request.
 */
export const listRefundRequests = Effect.fn("listRefundRequests")(function* (
  caller: Caller,
  { limit, payment_intent, starting_after: after, status: wanted }: ListRefundRequestsQuery,
) {
  const { id } = caller.account
  if (payment_intent !== undefined) yield* findVisible(caller, payment_intent)
  if (after !== undefined) {
    yield* findVisibleRequest(caller, after).pipe(
      Effect.catchTag("Failure", () => Effect.fail(badCursor("refund request"))),
    )
  }
  const store = yield* Store
  const status = wanted ?? REFUND_REQUEST_STATUSES
  const lists: ReadonlyArray<ListedBy<"refund_request">> =
    payment_intent === undefined
      ? [
          { account_id: id, status },
          { payee_account_id: id, status },
        ]
      : [{ payment_intent, status }]
  const found = yield* Effect.forEach(lists, (by) =>
    store.list("refund_request", { by, after, limit: limit + 1 }),
  )
  const newest = found.flat().toSorted((a, b) => (a.id < b.id ? 1 : -1))
  return {
    data: newest.slice(0, limit).map(refundRequestView),
    has_more: newest.length > limit,
  }
})
