import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const usageRecords = makeTable({
  kind: "usage_record",
  name: "usage_records",
  fields: {
    account_id: column.id("acct"),
    service_id: column.uuid,
    tab: column.id("tab"),
    period: column.count,
    agent_id: column.text,
    quantity: column.checked(column.decimal, "… > 0"),
    occurred_at: column.timestamp,
    idempotency_key: column.text,
    created_at: column.timestamp,
  },
  indexes: {
    usage_records_tab_period: "(tab, period) INCLUDE (quantity)",
    // An archive reads by the day. Ids are hashes, which say nothing about the time.
    usage_records_created_at: "(created_at, id)",
  },
})
