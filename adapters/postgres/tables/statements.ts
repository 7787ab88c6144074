import type { Statement } from "../../../core/billing/Statement.ts"
import { asItIs, id, integer, json, makeTable, text, timestamp } from "./Table.ts"

export const statements = makeTable<"statement", Statement>({
  kind: "statement",
  name: "statements",
  prefix: "stmt",
  due: false,
  columns: {
    id: id("stmt"),
    version: integer,
    account_id: id("acct"),
    month: text,
    bill: json(),
    created_at: timestamp,
  },
  flatten: asItIs,
  restore: asItIs,
})
