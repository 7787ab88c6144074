import { uuid, jsonArray, timestamp, id, nullable, version, currency, amount } from "./codecs.ts"
import { money } from "./Group.ts"
import { makeTable } from "./Table.ts"

export const quotes = makeTable({
  kind: "quote",
  name: "quotes",
  fields: {
    id: id("fxq"),
    version,
    account_id: id("acct"),
    service_id: nullable(uuid),
    amount: money("amount", amount),
    settlement_currency: currency,
    routes: jsonArray(),
    payment_intent: nullable(id("pi")),
    created_at: timestamp,
    expires_at: timestamp,
    due_at: nullable(timestamp),
  },
  constraints: { quotes_order: "created_at <= expires_at" },
})
