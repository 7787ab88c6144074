import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"
import { isId } from "../shared/Id.ts"
import { badCursor, type PageQuery } from "../shared/Page.ts"
import { statementView } from "./Statement.ts"

const own = Effect.fnUntraced(function* ({ account }: Caller, id: string) {
  const found = isId("stmt", id) ? yield* (yield* Store).find("statement", id) : undefined
  return found?.account_id === account.id ? found : undefined
})

/** The caller's statements, newest first. */
export const listStatements = Effect.fn("listStatements")(function* (
  caller: Caller,
  page: PageQuery,
) {
  const store = yield* Store
  const after = page.starting_after
  if (after !== undefined && (yield* own(caller, after)) === undefined) {
    return yield* badCursor("statement")
  }
  const statements = yield* store.listStatements({
    account_id: caller.account.id,
    limit: page.limit + 1,
    ...(after === undefined ? {} : { starting_after: after }),
  })
  const { length } = statements
  return { data: statements.slice(0, page.limit).map(statementView), has_more: length > page.limit }
})

/** One of the caller's statements. */
export const getStatement = Effect.fn("getStatement")(function* (caller: Caller, id: string) {
  const found = yield* own(caller, id)
  return found === undefined ? yield* notFound("statement", id) : statementView(found)
})
