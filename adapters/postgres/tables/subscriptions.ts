import { INTERVALS } from "../../../core/shared/Period.ts"
import * as column from "./codecs.ts"
import { money, payer } from "./Group.ts"
import { makeStateTable } from "./Table.ts"

export const subscriptions = makeStateTable({
  kind: "subscription",
  name: "subscriptions",
  fields: {
    account_id: column.id("acct"),
    payee_account_id: column.id("acct"),
    service_id: column.uuid,
    plan_id: column.text,
    plan_name: column.text,
    interval: column.word(...INTERVALS),
    amount: money("amount", column.amount),
    payer,
    anchor_at: column.timestamp,
    period: column.count,
    current_period_start: column.timestamp,
    current_period_end: column.timestamp,
    cancel_at_period_end: column.boolean,
    latest_invoice: column.id("inv"),
    created_at: column.timestamp,
    due_at: column.nullable(column.timestamp),
  },
  states: {
    active: {},
    past_due: { past_due_at: column.timestamp },
    cancelled: {
      cancelled_at: column.timestamp,
      cancel_reason: column.word("requested", "unpaid", "service_ended"),
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
