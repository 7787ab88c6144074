import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const feeDays = makeTable({
  kind: "fee_day",
  name: "fee_days",
  fields: {
    account_id: column.id("acct"),
    day: column.plainText("… ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'"),
    currency: column.currency,
    taken: column.minorUnits,
    created_at: column.timestamp,
    due_at: column.nullable(column.timestamp),
  },
})
