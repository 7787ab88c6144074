import { Effect } from "effect"
import { type Kind, type ListedBy, type ListedKind, type Records, Store } from "../ports/Store.ts"
import { notFound } from "./Failure.ts"
import { badCursor } from "./Page.ts"

interface Page {
  readonly limit: number
  readonly starting_after?: string | undefined
}

/** Returns the account's record with that id; undefined for another account's record. */
const findOwn = Effect.fnUntraced(function* <K extends Kind>(
  kind: K,
  accountId: string,
  id: string,
) {
  const found: Records[K] | undefined = yield* (yield* Store).find(kind, id)
  return found !== undefined && "account_id" in found && found.account_id === accountId
    ? found
    : undefined
})

/**
 * Returns the account's record with that id. Fails with `NOT_FOUND`, also for another account's
 * record.
 */
export const readOwn = Effect.fnUntraced(function* <K extends Kind>(
  kind: K,
  accountId: string,
  id: string,
  what: string,
) {
  return (yield* findOwn(kind, accountId, id)) ?? (yield* notFound(what, id))
})

/**
 * Returns a page of a list, newest first. Fails with `INVALID_QUERY` if `starting_after` is no
 * record of the kind, or belongs to an account other than the list's. `what` names the record in
 * the error.
 */
export const readPage = Effect.fnUntraced(function* <K extends ListedKind>(
  kind: K,
  by: ListedBy<K>,
  { limit, starting_after: after }: Page,
  what: string,
) {
  const store = yield* Store
  if (after !== undefined) {
    const of = "account_id" in by && typeof by.account_id === "string" ? by.account_id : undefined
    const known = of === undefined ? store.find(kind, after) : findOwn(kind, of, after)
    if ((yield* known) === undefined) return yield* badCursor(what)
  }
  const found = yield* store.list(kind, { by, after, limit: limit + 1 })
  return { data: found.slice(0, limit), has_more: found.length > limit }
})
