import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const events = makeTable({
  kind: "event",
  name: "events",
  fields: {
    account_id: column.id("acct"),
    type: column.word(),
    service_id: column.nullable(column.uuid),
    subject_id: column.text,
    data: column.jsonObject(),
    traceparent: column.nullable(column.text),
    created_at: column.timestamp,
    due_at: column.nullable(column.timestamp),
  },
})
