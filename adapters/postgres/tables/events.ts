import { text, uuid, word, jsonObject, timestamp, id, nullable, version } from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const events = makeTable({
  kind: "event",
  name: "events",
  fields: {
    id: id("evt"),
    version,
    account_id: id("acct"),
    type: word(),
    service_id: nullable(uuid),
    subject_id: text,
    data: jsonObject(),
    created_at: timestamp,
    due_at: nullable(timestamp),
  },
})
