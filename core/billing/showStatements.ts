import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { notFound } from "../shared/Failure.ts"
import type { PageQuery } from "../shared/Page.ts"
import { findOwn, readPage } from "../shared/readPage.ts"
import { statementView } from "./Statement.ts"

/** The caller's statements, newest first. */
export const listStatements = Effect.fn("listStatements")(function* (
  { account }: Caller,
  query: PageQuery,
) {
  const page = yield* readPage("statement", { account_id: account.id }, query, "statement")
  return { ...page, data: page.data.map(statementView) }
})

/** One of the caller's statements. */
export const getStatement = Effect.fn("getStatement")(function* ({ account }: Caller, id: string) {
  const found = yield* findOwn("statement", account.id, id)
  return found === undefined ? yield* notFound("statement", id) : statementView(found)
})
