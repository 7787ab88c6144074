import * as column from "./codecs.ts"
import { money } from "./Group.ts"
import { makeTable } from "./Table.ts"

/** A session needs a used proof to be drawn from or closed. Only a closed session has a rest. */
export const CHALLENGES_SESSION = `(drawn IS NULL AND closed_at IS NULL OR redeemed_at IS NOT NULL)
  AND (rest_refund IS NULL OR closed_at IS NOT NULL)`

/** A challenge has the UUID of its payment, so that it is stored once. */
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
    idle_seconds: column.nullable(column.checked(column.integer, "… BETWEEN 60 AND 2592000")),
    drawn: column.nullable(column.amount),
    closed_at: column.nullable(column.timestamp),
    rest_refund: column.nullable(column.id("ref")),
  },
  constraints: {
    challenges_order: "created_at <= expires_at",
    challenges_session: CHALLENGES_SESSION,
  },
})
