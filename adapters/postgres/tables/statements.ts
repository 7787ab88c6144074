import { plainText, jsonObject, timestamp, id, version } from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const statements = makeTable({
  kind: "statement",
  name: "statements",
  fields: {
    id: id("stmt"),
    version,
    account_id: id("acct"),
    month: plainText("… ~ '^[0-9]{4}-[0-9]{2}$'"),
    bill: jsonObject(),
    created_at: timestamp,
  },
})
