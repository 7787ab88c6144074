import type { Discrepancy } from "../../../core/gateway/Discrepancy.ts"
import { asItIs, id, integer, makeTable, nullable, text, timestamp, word } from "./Table.ts"

export const discrepancies = makeTable<"discrepancy", Discrepancy>({
  kind: "discrepancy",
  name: "discrepancies",
  prefix: "disc",
  columns: {
    id: id("disc"),
    version: integer,
    account_id: id("acct"),
    kind: word(),
    payment_intent: id("pi"),
    channel: text,
    trade_no: text,
    expected: text,
    actual: text,
    run: nullable(id("rrun")),
    created_at: timestamp,
  },
  flatten: asItIs,
  restore: asItIs,
})
