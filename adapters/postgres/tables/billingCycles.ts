import type { BillingCycle } from "../../../core/accounts/BillingCycle.ts"
import { asItIs, id, integer, json, makeTable, nullable, text, timestamp } from "./Table.ts"

export const billingCycles = makeTable<"billing_cycle", BillingCycle>({
  kind: "billing_cycle",
  name: "billing_cycles",
  prefix: "cyc",
  due: true,
  columns: {
    id: id("cyc"),
    version: integer,
    account_id: id("acct"),
    month: text,
    opened_at: timestamp,
    plans: json(),
    due_at: nullable(timestamp),
  },
  flatten: asItIs,
  restore: asItIs,
})
