import type {
  CancelReason,
  Subscription,
  SubscriptionCommon,
} from "../../../core/invoices/Subscription.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import {
  boolean,
  id,
  integer,
  makeTable,
  minorUnits,
  nullable,
  text,
  timestamp,
  uuid,
  word,
} from "./Table.ts"

type Flat = Omit<SubscriptionCommon, "amount" | "payer"> & {
  readonly status: Subscription["status"]
  readonly amount_currency: string
  readonly amount_value: number
  readonly payer_agent_id: string
  readonly payer_human_id: string | null
  readonly past_due_at: Timestamp | null
  readonly cancelled_at: Timestamp | null
  readonly cancel_reason: CancelReason | null
}

const flatten = ({ amount, payer, ...subscription }: Subscription): Flat => ({
  ...subscription,
  amount_currency: amount.currency,
  amount_value: amount.value,
  payer_agent_id: payer.agent_id,
  payer_human_id: payer.human_id,
  past_due_at: subscription.status === "past_due" ? subscription.past_due_at : null,
  cancelled_at: subscription.status === "cancelled" ? subscription.cancelled_at : null,
  cancel_reason: subscription.status === "cancelled" ? subscription.cancel_reason : null,
})

/** The CHECKs of the table say which facts each state has, so a row reads as one of the states. */
const restore = (flat: Flat): Subscription => {
  const { amount_currency, amount_value, payer_agent_id, payer_human_id, ...rest } = flat
  const { cancel_reason, cancelled_at, past_due_at, ...subscription } = rest
  const common = {
    ...subscription,
    amount: { currency: amount_currency, value: amount_value },
    payer: { agent_id: payer_agent_id, human_id: payer_human_id },
  }
  if (past_due_at !== null) return { ...common, status: "past_due", past_due_at }
  return cancelled_at === null || cancel_reason === null
    ? { ...common, status: "active" }
    : { ...common, status: "cancelled", cancelled_at, cancel_reason }
}

export const subscriptions = makeTable<"subscription", Flat>({
  kind: "subscription",
  name: "subscriptions",
  prefix: "sub",
  due: true,
  columns: {
    id: id("sub"),
    version: integer,
    status: word(),
    account_id: id("acct"),
    payee_account_id: id("acct"),
    service_id: uuid,
    plan_id: text,
    plan_name: text,
    interval: word(),
    amount_currency: text,
    amount_value: minorUnits,
    payer_agent_id: text,
    payer_human_id: nullable(text),
    anchor_at: timestamp,
    period: integer,
    current_period_start: timestamp,
    current_period_end: timestamp,
    cancel_at_period_end: boolean,
    latest_invoice: id("inv"),
    past_due_at: nullable(timestamp),
    cancelled_at: nullable(timestamp),
    cancel_reason: nullable(word()),
    created_at: timestamp,
    due_at: nullable(timestamp),
  },
  flatten,
  restore,
})
