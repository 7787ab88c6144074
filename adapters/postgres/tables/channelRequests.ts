import { text, word, timestamp, id, nullable, version, count, amount } from "./codecs.ts"
import { money } from "./Group.ts"
import { makeStateTable } from "./Table.ts"

export const channelRequests = makeStateTable({
  kind: "channel_request",
  name: "channel_requests",
  fields: {
    id: id("creq"),
    version,
    payment_intent: id("pi"),
    account_id: id("acct"),
    channel: text,
    action: word("capture", "release", "close", "refund", "debit"),
    charge_id: text,
    trade_no: nullable(text),
    amount: money("amount", amount),
    refund: nullable(id("ref")),
    mandate: nullable(id("mnd")),
    attempts: count,
    created_at: timestamp,
  },
  states: {
    outstanding: { due_at: timestamp },
    unknown: { due_at: timestamp },
    done: {},
    refused: { failure: text },
  },
  constraints: {
    channel_requests_refund: "refund IS NULL OR action = 'refund'",
    channel_requests_mandate: "(mandate IS NOT NULL) = (action = 'debit')",
  },
})
