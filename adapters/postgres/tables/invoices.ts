import {
  uuid,
  word,
  checked,
  json,
  minorUnits,
  timestamp,
  id,
  nullable,
  version,
  count,
} from "./codecs.ts"
import { money, payer } from "./Group.ts"
import { makeStateTable } from "./Table.ts"

export const invoices = makeStateTable({
  kind: "invoice",
  name: "invoices",
  fields: {
    id: id("inv"),
    version,
    account_id: id("acct"),
    payee_account_id: id("acct"),
    service_id: uuid,
    subscription: nullable(id("sub")),
    tab: nullable(id("tab")),
    payer,
    lines: json(),
    amount: money("amount", checked(minorUnits, "… BETWEEN 0 AND 1000000000000")),
    collection: word("new", "asked", "overdue"),
    payment_intent: nullable(id("pi")),
    period: count,
    period_start: timestamp,
    period_end: timestamp,
    pay_by: timestamp,
    created_at: timestamp,
    due_at: nullable(timestamp),
  },
  states: {
    open: {},
    paid: { paid_at: timestamp },
    void: { voided_at: timestamp },
    uncollectible: { given_up_at: timestamp },
  },
  constraints: {
    invoices_of_one: "(subscription IS NULL) <> (tab IS NULL)",
    invoices_due: "(due_at IS NULL) = (status <> 'open')",
  },
  indexes: {
    invoices_account_id: "(account_id, id) INCLUDE (service_id, status, subscription)",
    invoices_payee_account_id: "(payee_account_id, id) INCLUDE (service_id, status, subscription)",
  },
})
