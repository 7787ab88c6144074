import { text, word, timestamp, id, nullable, version } from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const discrepancies = makeTable({
  kind: "discrepancy",
  name: "discrepancies",
  fields: {
    id: id("disc"),
    version,
    account_id: id("acct"),
    kind: word(
      "late_payment",
      "amount_mismatch",
      "channel_mismatch",
      "status_mismatch",
      "missing_at_channel",
      "missing_at_service",
    ),
    payment_intent: id("pi"),
    channel: text,
    trade_no: text,
    expected: text,
    actual: text,
    run: nullable(id("rrun")),
    created_at: timestamp,
  },
  indexes: {
    discrepancies_time: "(account_id, created_at, id)",
    discrepancies_run: "(run, created_at, id) WHERE run IS NOT NULL",
  },
})
