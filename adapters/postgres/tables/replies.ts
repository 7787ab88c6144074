import type { Reply } from "../../../core/idempotency/Reply.ts"
import * as column from "./codecs.ts"
import { describe } from "./Table.ts"

/** Replies are no records. They have a key instead of an id, and no version. */
export const replies = describe<Reply>("replies", {
  account_id: column.id("acct"),
  key: column.text,
  fingerprint: column.text,
  holder: column.text,
  answer: column.nullable(column.longText),
  lease_until: column.timestamp,
  created_at: column.timestamp,
  expires_at: column.timestamp,
})
