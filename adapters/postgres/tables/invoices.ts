import * as column from "./codecs.ts"
import { money, payer } from "./Group.ts"
import { makeStateTable } from "./Table.ts"

export const invoices = makeStateTable({
  kind: "invoice",
  name: "invoices",
  fields: {
    account_id: column.id("acct"),
    payee_account_id: column.id("acct"),
    service_id: column.uuid,
    subscription: column.nullable(column.id("sub")),
    tab: column.nullable(column.id("tab")),
    payer,
    lines: column.json(),
    amount: money("amount", column.checked(column.minorUnits, "… BETWEEN 0 AND 1000000000000")),
    collection: column.word("new", "asked", "overdue"),
    payment_intent: column.nullable(column.id("pi")),
    period: column.count,
    period_start: column.timestamp,
    period_end: column.timestamp,
    pay_by: column.timestamp,
    created_at: column.timestamp,
    due_at: column.nullable(column.timestamp),
  },
  states: {
    open: {},
    paid: { paid_at: column.timestamp },
    void: { voided_at: column.timestamp },
    uncollectible: { given_up_at: column.timestamp },
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
