import type { Posting } from "../../../core/ledger/Posting.ts"
import { text, word, minorUnits, timestamp, id, nullable } from "./codecs.ts"
import { describe } from "./Table.ts"

/** Rows of the ledger are no records: they have no version, since they never change. */
export const postings = describe<Posting>("postings", {
  id: id("post"),
  journal: id("jrn"),
  kind: word(),
  account_id: id("acct"),
  ledger_account: word(),
  channel: nullable(text),
  currency: text,
  amount: minorUnits,
  payment_intent: nullable(id("pi")),
  refund: nullable(text),
  created_at: timestamp,
})
