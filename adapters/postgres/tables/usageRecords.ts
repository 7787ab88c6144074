import type { UsageRecord } from "../../../core/invoices/Usage.ts"
import { asItIs, decimal, id, integer, makeTable, text, timestamp, uuid } from "./Table.ts"

export const usageRecords = makeTable<"usage_record", UsageRecord>({
  kind: "usage_record",
  name: "usage_records",
  prefix: "use",
  columns: {
    id: id("use"),
    version: integer,
    account_id: id("acct"),
    service_id: uuid,
    tab: id("tab"),
    period: integer,
    agent_id: text,
    quantity: decimal,
    occurred_at: timestamp,
    idempotency_key: text,
    created_at: timestamp,
  },
  flatten: asItIs,
  restore: asItIs,
})
