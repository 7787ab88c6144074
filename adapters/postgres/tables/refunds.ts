import {
  text,
  boolean,
  uuid,
  checked,
  jsonObject,
  minorUnits,
  timestamp,
  id,
  nullable,
  version,
  amount,
} from "./codecs.ts"
import { money, moneyIn } from "./Group.ts"
import { makeStateTable } from "./Table.ts"

export const refunds = makeStateTable({
  kind: "refund",
  name: "refunds",
  fields: {
    id: id("ref"),
    version,
    payment_intent: id("pi"),
    account_id: id("acct"),
    payee_account_id: id("acct"),
    service_id: uuid,
    amount: money("amount", amount),
    settlement: money("settlement", checked(minorUnits, "… >= 0")),
    fx_spread: moneyIn("settlement_currency", "fx_spread"),
    service_fee: moneyIn("settlement_currency", "service_fee"),
    partial: boolean,
    reason: nullable(text),
    description: nullable(text),
    revoke: nullable(jsonObject()),
    channel: text,
    channel_request: id("creq"),
    created_at: timestamp,
    updated_at: timestamp,
  },
  states: {
    pending: {},
    succeeded: { succeeded_at: timestamp },
    failed: { failed_at: timestamp, channel_reason: text },
  },
  constraints: { refunds_order: "created_at <= updated_at" },
  unique: { refunds_channel_request_taken: "(channel_request)" },
})
