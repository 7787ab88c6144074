import {
  text,
  integer,
  uuid,
  checked,
  timestamp,
  id,
  nullable,
  version,
  amount,
  sha256,
} from "./codecs.ts"
import { money } from "./Group.ts"
import { makeTable } from "./Table.ts"

/** A challenge has the UUID of its payment, which is therefore kept once. */
export const challenges = makeTable({
  kind: "challenge",
  name: "challenges",
  fields: {
    id: id("chl"),
    version,
    account_id: id("acct"),
    service_id: uuid,
    payment_intent: { parts: {}, restore: (_, { id: own }) => `pi_${String(own).slice(4)}` },
    amount: money("amount", amount),
    resource: checked(text, "length(…) BETWEEN 1 AND 2048"),
    token_hash: sha256,
    valid_seconds: nullable(checked(integer, "… >= 1")),
    redeemed_at: nullable(timestamp),
    created_at: timestamp,
    expires_at: timestamp,
    due_at: nullable(timestamp),
  },
  constraints: { challenges_order: "created_at <= expires_at" },
})
