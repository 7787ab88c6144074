import { Effect, Schema } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { findVisible } from "../payments/access.ts"
import { Store } from "../ports/Store.ts"
import { badCursor, PageQuery } from "../shared/Page.ts"
import { readPage } from "../shared/ownRecords.ts"
import { getRefund } from "./getRefund.ts"
import type { Refund } from "./Refund.ts"
import { view } from "./RefundView.ts"

/** The query of `GET /v1/refunds`. */
export const ListRefundsQuery = Schema.Struct({
  payment_intent: Schema.optionalKey(Schema.NonEmptyString).annotateKey({
    description: "Only refunds of this payment.",
  }),
  ...PageQuery.fields,
})
export type ListRefundsQuery = typeof ListRefundsQuery.Type

/** Returns the views of a page of refunds. Payments and revocations are read for all at once. */
const showAll = Effect.fnUntraced(function* (refunds: ReadonlyArray<Refund>, viewer: string) {
  const store = yield* Store
  const [intents, revocations] = yield* Effect.all(
    [
      store.findMany("payment_intent", [
        ...new Set(refunds.map((refund) => refund.payment_intent)),
      ]),
      store.list("revocation", { by: { refund: refunds.map(({ id }) => id) } }),
    ],
    { concurrency: "unbounded" },
  )
  const paid = new Map(intents.map((intent) => [intent.id, intent]))
  const revoked = Map.groupBy(revocations, ({ refund }) => refund)
  return refunds.flatMap((refund) => {
    const intent = paid.get(refund.payment_intent)
    return intent === undefined ? [] : [view(refund, intent, viewer, revoked.get(refund.id) ?? [])]
  })
})

/**
 * Returns a page of the refunds of a payment that the caller takes part in, or else of all refunds
 * that the caller has made, newest first.
 *
 * Fails with `NOT_FOUND` for an unknown payment, and with `INVALID_QUERY` if `starting_after` is no
 * refund.
 */
export const listRefunds = Effect.fn("listRefunds")(function* (
  caller: Caller,
  query: ListRefundsQuery,
) {
  const { payment_intent, starting_after } = query
  if (payment_intent !== undefined) yield* findVisible(caller, payment_intent)
  if (starting_after !== undefined) {
    yield* getRefund(caller, starting_after).pipe(
      Effect.catchTag("Failure", () => Effect.fail(badCursor("refund"))),
    )
  }
  const by =
    payment_intent === undefined ? { payee_account_id: caller.account.id } : { payment_intent }
  const page = yield* readPage("refund", by, query, "refund")
  return { ...page, data: yield* showAll(page.data, caller.account.id) }
})
