import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import type { PageQuery } from "../shared/Page.ts"
import { readOwn, readPage } from "../shared/ownRecords.ts"
import { statementView } from "./Statement.ts"

/** Lists the caller's statements, newest first. */
export const listStatements = Effect.fn("listStatements")(function* (
  { account }: Caller,
  query: PageQuery,
) {
  const page = yield* readPage("statement", { account_id: account.id }, query, "statement")
  return { ...page, data: page.data.map(statementView) }
})

/** Shows one of the caller's statements. */
export const getStatement = Effect.fn("getStatement")(function* ({ account }: Caller, id: string) {
  return statementView(yield* readOwn("statement", account.id, id, "statement"))
})
