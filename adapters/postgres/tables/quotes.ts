import * as column from "./codecs.ts"
import { money } from "./Group.ts"
import { makeTable } from "./Table.ts"

export const quotes = makeTable({
  kind: "quote",
  name: "quotes",
  fields: {
    account_id: column.id("acct"),
    service_id: column.nullable(column.uuid),
    amount: money("amount", column.amount),
    settlement_currency: column.currency,
    routes: column.jsonArray(),
    payment_intent: column.nullable(column.id("pi")),
    created_at: column.timestamp,
    expires_at: column.timestamp,
    due_at: column.nullable(column.timestamp),
  },
  constraints: { quotes_order: "created_at <= expires_at" },
})
