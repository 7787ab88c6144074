import { LOG_ACTIONS, type LogDetails } from "../../../core/accountLog/LogEntry.ts"
import { id, jsonObject, text, timestamp, version, word } from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const logEntries = makeTable({
  kind: "log_entry",
  name: "log_entries",
  fields: {
    id: id("log"),
    version,
    account_id: id("acct"),
    at: timestamp,
    actor: text,
    action: word(...LOG_ACTIONS),
    target: text,
    details: jsonObject<LogDetails>(),
  },
})
