import { Schema } from "effect"
import { toIso } from "../shared/Timestamp.ts"
import { shownAs } from "../shared/View.ts"
import { Amount, Time } from "../shared/Wire.ts"
import { type Invoice, INVOICE_STATUSES, type InvoiceEventType, InvoiceLine } from "./Invoice.ts"

const amount = { currency: "USD", value: 1_999 }

/** An invoice as its payer and its payee see it. */
export const InvoiceView = Schema.Struct({
  id: Schema.String.annotate({ description: "`inv_` and a UUID." }),
  service_id: Schema.String.annotateKey({ description: "The service's id." }),
  subscription: Schema.NullOr(Schema.String).annotate({
    description: "The subscription's id; null for an invoice of metered use.",
  }),
  agent_id: Schema.String.annotate({ description: "The agent that pays." }),
  status: Schema.Literals(INVOICE_STATUSES).annotateKey({
    description: "The invoice's state. An `open` invoice has to be paid.",
  }),
  lines: Schema.Array(InvoiceLine).annotateKey({
    description: "The lines that make up the amount.",
  }),
  amount: Amount.annotateKey({ description: "The total amount due." }),
  payment_intent: Schema.NullOr(Schema.String).annotate({
    description: "The payment that pays the invoice, or the last attempt to pay it.",
  }),
  period_start: Time.annotateKey({ description: "When the period began." }),
  period_end: Time.annotateKey({ description: "When the period ends." }),
  due_at: Time.annotate({ description: "When the payment is due." }),
  paid_at: Schema.optionalKey(Time).annotateKey({ description: "When the invoice was paid." }),
  created_at: Time.annotateKey({ description: "The time of creation." }),
}).annotate({
  identifier: "Invoice",
  description: "The charges for a period of a subscription or of metered use.",
  examples: [
    {
      id: "inv_01997d3e-8a00-7000-8000-000000000051",
      service_id: "01997d3e-8a00-7000-8000-000000000010",
      subscription: "sub_01997d3e-8a00-7000-8000-000000000050",
      agent_id: "agent_buyer_1",
      status: "open",
      lines: [{ description: "Pro", quantity: "1", unit_amount: "1999", amount }],
      amount,
      payment_intent: "pi_01997d3e-8a00-7000-8000-000000000020",
      period_start: "2026-01-31T08:00:00.000Z",
      period_end: "2026-02-28T08:00:00.000Z",
      due_at: "2026-02-07T08:00:00.000Z",
      created_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})

/** See {@link InvoiceView}. */
export const invoiceView = (invoice: Invoice) =>
  shownAs(InvoiceView, invoice, { agent_id: invoice.payer.agent_id, due_at: toIso(invoice.pay_by) })

declare module "../webhooks/events/Event.ts" {
  interface EventData extends Readonly<Record<InvoiceEventType, typeof InvoiceView.Type>> {}
}
