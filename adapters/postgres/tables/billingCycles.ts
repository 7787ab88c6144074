import { checked, plainText, json, timestamp, id, nullable, version } from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const billingCycles = makeTable({
  kind: "billing_cycle",
  name: "billing_cycles",
  fields: {
    id: id("cyc"),
    version,
    account_id: checked(id("acct"), "… = id"),
    month: plainText("… ~ '^[0-9]{4}-[0-9]{2}$'"),
    opened_at: timestamp,
    plans: checked(json(), "json_array_length(…) > 0"),
    due_at: nullable(timestamp),
  },
})
