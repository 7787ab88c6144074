import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const statements = makeTable({
  kind: "statement",
  name: "statements",
  fields: {
    account_id: column.id("acct"),
    month: column.plainText("… ~ '^[0-9]{4}-[0-9]{2}$'"),
    bill: column.jsonObject(),
    created_at: column.timestamp,
  },
})
