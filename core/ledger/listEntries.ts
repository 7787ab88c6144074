import { Effect, Schema } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import { isId } from "../shared/Id.ts"
import { CurrencyCode } from "../shared/Money.ts"
import { badCursor, PageQuery } from "../shared/Page.ts"
import { JOURNAL_KINDS, LEDGER_ACCOUNTS } from "./Posting.ts"
import { entryView } from "./Statement.ts"

/** The query of `GET /v1/ledger/entries`. */
export const ListEntriesQuery = Schema.Struct({
  payment_intent: Schema.optionalKey(
    Schema.String.check(
      Schema.makeFilter((id: string) => isId("pi", id) || "must be a payment intent's id"),
    ),
  ).annotateKey({ description: "Only entries of this payment." }),
  account: Schema.optionalKey(Schema.Literals(LEDGER_ACCOUNTS)).annotateKey({
    description: "Only entries of this ledger account.",
  }),
  currency: Schema.optionalKey(CurrencyCode).annotateKey({
    description: "Only entries in this currency.",
  }),
  kind: Schema.optionalKey(Schema.Literals(JOURNAL_KINDS)).annotateKey({
    description: "Only entries of this kind.",
  }),
  ...PageQuery.fields,
})
/** A decoded {@link ListEntriesQuery}. */
export type ListEntriesQuery = typeof ListEntriesQuery.Type

/**
 * Returns a page of the rows of the caller's own books, newest first.
 *
 * Fails with `INVALID_QUERY` if `starting_after` cannot be one of them.
 */
export const listEntries = Effect.fn("listEntries")(function* (
  { account }: Caller,
  query: ListEntriesQuery,
) {
  const store = yield* Store
  const { account: ledger_account, limit, ...filters } = query
  const after = query.starting_after
  if (after !== undefined && !isId("post", after)) return yield* badCursor("ledger entry")
  const found = yield* store.listPostings({
    ...filters,
    ...(ledger_account !== undefined && { ledger_account }),
    account_id: account.id,
    limit: limit + 1,
  })
  return { data: found.slice(0, limit).map(entryView), has_more: found.length > limit }
})
