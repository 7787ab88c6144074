import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const billingCycles = makeTable({
  kind: "billing_cycle",
  name: "billing_cycles",
  fields: {
    account_id: column.checked(column.id("acct"), "… = id"),
    month: column.plainText("… ~ '^[0-9]{4}-[0-9]{2}$'"),
    opened_at: column.timestamp,
    plans: column.checked(column.json(), "json_array_length(…) > 0"),
    due_at: column.nullable(column.timestamp),
  },
})
