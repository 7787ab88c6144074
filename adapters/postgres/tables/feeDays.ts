import { plainText, minorUnits, timestamp, id, nullable, version, currency } from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const feeDays = makeTable({
  kind: "fee_day",
  name: "fee_days",
  fields: {
    id: id("fday"),
    version,
    account_id: id("acct"),
    day: plainText("… ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'"),
    currency,
    taken: minorUnits,
    created_at: timestamp,
    due_at: nullable(timestamp),
  },
})
