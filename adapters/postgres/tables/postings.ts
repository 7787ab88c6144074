import type { Posting } from "../../../core/ledger/Posting.ts"
import * as column from "./codecs.ts"
import { describe } from "./Table.ts"

/** Rows of the ledger are no records. They have no version, because they never change. */
export const postings = describe<Posting>("postings", {
  id: column.id("post"),
  journal: column.id("jrn"),
  kind: column.word(),
  account_id: column.id("acct"),
  ledger_account: column.word(),
  channel: column.nullable(column.text),
  currency: column.text,
  amount: column.minorUnits,
  payment_intent: column.nullable(column.id("pi")),
  refund: column.nullable(column.text),
  created_at: column.timestamp,
})
