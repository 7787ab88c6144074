import type { Reply } from "../../../core/idempotency/Reply.ts"
import { asItIs, describe, id, nullable, text, timestamp } from "./Table.ts"

/** Replies are no records: they have a key instead of an id, and no version. */
export const replies = describe<Reply, Reply>(
  "replies",
  {
    account_id: id("acct"),
    key: text,
    fingerprint: text,
    holder: text,
    answer: nullable(text),
    lease_until: timestamp,
    created_at: timestamp,
    expires_at: timestamp,
  },
  asItIs,
  asItIs,
)
