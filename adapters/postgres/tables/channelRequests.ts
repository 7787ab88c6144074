import * as column from "./codecs.ts"
import { money } from "./Group.ts"
import { makeStateTable } from "./Table.ts"

export const channelRequests = makeStateTable({
  kind: "channel_request",
  name: "channel_requests",
  fields: {
    payment_intent: column.id("pi"),
    account_id: column.id("acct"),
    channel: column.text,
    action: column.word("capture", "release", "close", "refund", "debit"),
    charge_id: column.text,
    trade_no: column.nullable(column.text),
    amount: money("amount", column.amount),
    refund: column.nullable(column.id("ref")),
    mandate: column.nullable(column.id("mnd")),
    attempts: column.count,
    created_at: column.timestamp,
  },
  states: {
    outstanding: { due_at: column.timestamp },
    unknown: { due_at: column.timestamp },
    done: {},
    refused: { failure: column.text },
  },
  constraints: {
    channel_requests_refund: "refund IS NULL OR action = 'refund'",
    channel_requests_mandate: "(mandate IS NOT NULL) = (action = 'debit')",
  },
})
