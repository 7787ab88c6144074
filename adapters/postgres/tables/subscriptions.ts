import { INTERVALS } from "../../../core/shared/Period.ts"
import {
  text,
  boolean,
  uuid,
  word,
  timestamp,
  id,
  nullable,
  version,
  count,
  amount,
} from "./codecs.ts"
import { money, payer } from "./Group.ts"
import { makeStateTable } from "./Table.ts"

export const subscriptions = makeStateTable({
  kind: "subscription",
  name: "subscriptions",
  fields: {
    id: id("sub"),
    version,
    account_id: id("acct"),
    payee_account_id: id("acct"),
    service_id: uuid,
    plan_id: text,
    plan_name: text,
    interval: word(...INTERVALS),
    amount: money("amount", amount),
    payer,
    anchor_at: timestamp,
    period: count,
    current_period_start: timestamp,
    current_period_end: timestamp,
    cancel_at_period_end: boolean,
    latest_invoice: id("inv"),
    created_at: timestamp,
    due_at: nullable(timestamp),
  },
  states: {
    active: {},
    past_due: { past_due_at: timestamp },
    cancelled: {
      cancelled_at: timestamp,
      cancel_reason: word("requested", "unpaid", "service_ended"),
    },
  },
  constraints: {
    subscriptions_period: "current_period_start < current_period_end",
    subscriptions_due: "(due_at IS NULL) = (status = 'cancelled')",
  },
  indexes: {
    subscriptions_account_id: "(account_id, id) INCLUDE (service_id, status)",
    subscriptions_payee_account_id: "(payee_account_id, id) INCLUDE (service_id, status)",
  },
})
