import type { Invoice, InvoiceCommon } from "../../../core/invoices/Invoice.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import {
  id,
  integer,
  json,
  makeTable,
  minorUnits,
  nullable,
  text,
  timestamp,
  uuid,
  word,
} from "./Table.ts"

type Flat = Omit<InvoiceCommon, "amount" | "payer"> & {
  readonly status: Invoice["status"]
  readonly amount_currency: string
  readonly amount_value: number
  readonly payer_agent_id: string
  readonly payer_human_id: string | null
  readonly ended_at: Timestamp | null
}

const endOf = (invoice: Invoice): Timestamp | null => {
  switch (invoice.status) {
    case "open":
      return null
    case "paid":
      return invoice.paid_at
    case "void":
      return invoice.voided_at
    case "uncollectible":
      return invoice.given_up_at
  }
}

const flatten = (invoice: Invoice): Flat => ({
  ...invoice,
  amount_currency: invoice.amount.currency,
  amount_value: invoice.amount.value,
  payer_agent_id: invoice.payer.agent_id,
  payer_human_id: invoice.payer.human_id,
  ended_at: endOf(invoice),
})

/** The CHECKs of the table say which facts each state has, so a row reads as one of the states. */
const restore = (flat: Flat): Invoice => {
  const { amount_currency, amount_value, payer_agent_id, payer_human_id, ...rest } = flat
  const { ended_at, status, ...invoice } = rest
  const common = {
    ...invoice,
    amount: { currency: amount_currency, value: amount_value },
    payer: { agent_id: payer_agent_id, human_id: payer_human_id },
  }
  if (ended_at === null) return { ...common, status: "open" }
  if (status === "paid") return { ...common, status, paid_at: ended_at }
  return status === "void"
    ? { ...common, status, voided_at: ended_at }
    : { ...common, status: "uncollectible", given_up_at: ended_at }
}

export const invoices = makeTable<"invoice", Flat>({
  kind: "invoice",
  name: "invoices",
  prefix: "inv",
  due: true,
  columns: {
    id: id("inv"),
    version: integer,
    status: word(),
    account_id: id("acct"),
    payee_account_id: id("acct"),
    service_id: uuid,
    subscription: nullable(id("sub")),
    tab: nullable(id("tab")),
    payer_agent_id: text,
    payer_human_id: nullable(text),
    lines: json(),
    amount_currency: text,
    amount_value: minorUnits,
    collection: word(),
    payment_intent: nullable(id("pi")),
    period: integer,
    period_start: timestamp,
    period_end: timestamp,
    pay_by: timestamp,
    ended_at: nullable(timestamp),
    created_at: timestamp,
    due_at: nullable(timestamp),
  },
  flatten,
  restore,
})
