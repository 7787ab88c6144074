import { LOG_ACTIONS, type LogDetails } from "../../../core/accountLog/LogEntry.ts"
import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const logEntries = makeTable({
  kind: "log_entry",
  name: "log_entries",
  fields: {
    account_id: column.id("acct"),
    at: column.timestamp,
    actor: column.text,
    action: column.word(...LOG_ACTIONS),
    target: column.text,
    details: column.jsonObject<LogDetails>(),
  },
})
