import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const discrepancies = makeTable({
  kind: "discrepancy",
  name: "discrepancies",
  fields: {
    account_id: column.id("acct"),
    kind: column.word(
      "late_payment",
      "amount_mismatch",
      "channel_mismatch",
      "status_mismatch",
      "missing_at_channel",
      "missing_at_service",
    ),
    payment_intent: column.id("pi"),
    channel: column.text,
    trade_no: column.text,
    expected: column.text,
    actual: column.text,
    run: column.nullable(column.id("rrun")),
    created_at: column.timestamp,
  },
  indexes: {
    discrepancies_time: "(account_id, created_at, id)",
    discrepancies_run: "(run, created_at, id) WHERE run IS NOT NULL",
  },
})
