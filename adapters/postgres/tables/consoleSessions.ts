import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const consoleSessions = makeTable({
  kind: "console_session",
  name: "console_sessions",
  fields: { created_at: column.timestamp },
})
