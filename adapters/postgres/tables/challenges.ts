import * as column from "./codecs.ts"
import { money } from "./Group.ts"
import { makeTable } from "./Table.ts"

/** A challenge has the UUID of its payment, which is therefore kept once. */
export const challenges = makeTable({
  kind: "challenge",
  name: "challenges",
  fields: {
    account_id: column.id("acct"),
    service_id: column.uuid,
    payment_intent: { parts: {}, restore: (_, { id: own }) => `pi_${String(own).slice(4)}` },
    amount: money("amount", column.amount),
    resource: column.checked(column.text, "length(…) BETWEEN 1 AND 2048"),
    token_hash: column.sha256,
    valid_seconds: column.nullable(column.checked(column.integer, "… >= 1")),
    payment_identifier: column.nullable(column.plainText("length(…) BETWEEN 16 AND 128")),
    redeemed_at: column.nullable(column.timestamp),
    created_at: column.timestamp,
    expires_at: column.timestamp,
    due_at: column.nullable(column.timestamp),
  },
  constraints: { challenges_order: "created_at <= expires_at" },
})
