import type { Reply } from "../../../core/idempotency/Reply.ts"
import { text, timestamp, id, nullable } from "./codecs.ts"
import { describe } from "./Table.ts"

/** Replies are no records: they have a key instead of an id, and no version. */
export const replies = describe<Reply>("replies", {
  account_id: id("acct"),
  key: text,
  fingerprint: text,
  holder: text,
  answer: nullable(text),
  lease_until: timestamp,
  created_at: timestamp,
  expires_at: timestamp,
})
