import { Effect } from "effect"
import type { PageQuery } from "../shared/Page.ts"
import { readPage } from "../shared/ownRecords.ts"
import { logEntryView } from "./LogEntry.ts"

/** Lists the account's log, newest first. */
export const listLog = Effect.fn("listLog")(function* (accountId: string, query: PageQuery) {
  const page = yield* readPage("log_entry", { account_id: accountId }, query, "log entry")
  return { ...page, data: page.data.map(logEntryView) }
})
