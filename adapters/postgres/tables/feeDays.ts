import type { FeeDay } from "../../../core/ledger/FeeDay.ts"
import { asItIs, id, integer, makeTable, minorUnits, nullable, text, timestamp } from "./Table.ts"

export const feeDays = makeTable<"fee_day", FeeDay>({
  kind: "fee_day",
  name: "fee_days",
  prefix: "fday",
  due: true,
  columns: {
    id: id("fday"),
    version: integer,
    account_id: id("acct"),
    day: text,
    currency: text,
    taken: minorUnits,
    created_at: timestamp,
    due_at: nullable(timestamp),
  },
  flatten: asItIs,
  restore: asItIs,
})
