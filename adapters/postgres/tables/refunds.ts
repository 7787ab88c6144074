import * as column from "./codecs.ts"
import { money, moneyIn } from "./Group.ts"
import { makeStateTable } from "./Table.ts"

export const refunds = makeStateTable({
  kind: "refund",
  name: "refunds",
  fields: {
    payment_intent: column.id("pi"),
    account_id: column.id("acct"),
    payee_account_id: column.id("acct"),
    service_id: column.uuid,
    amount: money("amount", column.amount),
    settlement: money("settlement", column.checked(column.minorUnits, "… >= 0")),
    fx_spread: moneyIn("settlement_currency", "fx_spread"),
    service_fee: moneyIn("settlement_currency", "service_fee"),
    partial: column.boolean,
    reason: column.nullable(column.text),
    description: column.nullable(column.text),
    revoke: column.nullable(column.jsonObject()),
    channel: column.text,
    channel_request: column.id("creq"),
    created_at: column.timestamp,
    updated_at: column.timestamp,
  },
  states: {
    pending: {},
    succeeded: { succeeded_at: column.timestamp },
    failed: { failed_at: column.timestamp, channel_reason: column.text },
  },
  constraints: { refunds_order: "created_at <= updated_at" },
  unique: { refunds_channel_request_taken: "(channel_request)" },
})
