import { text, uuid, checked, decimal, timestamp, id, version, count } from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const usageRecords = makeTable({
  kind: "usage_record",
  name: "usage_records",
  fields: {
    id: id("use"),
    version,
    account_id: id("acct"),
    service_id: uuid,
    tab: id("tab"),
    period: count,
    agent_id: text,
    quantity: checked(decimal, "… > 0"),
    occurred_at: timestamp,
    idempotency_key: text,
    created_at: timestamp,
  },
  indexes: {
    usage_records_tab_period: "(tab, period) INCLUDE (quantity)",
  },
})
