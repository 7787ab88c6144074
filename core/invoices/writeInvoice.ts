import type { Commit, KeyChange } from "../commits/Commit.ts"
import type { Ids } from "../ports/Ids.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { eventsFor } from "../webhooks/events/Event.ts"
import type { Invoice, InvoiceEventType } from "./Invoice.ts"
import { planName, type Subscription, type SubscriptionEventType } from "./Subscription.ts"
import { subscriptionView } from "./SubscriptionView.ts"
import { invoiceView } from "./InvoiceView.ts"

const about = ({
  account_id,
  id: subject_id,
  payee_account_id,
  service_id,
}: Invoice | Subscription) => ({
  accounts: [payee_account_id, account_id],
  subject_id,
  service_id,
})

/** Returns the commit of an invoice, with its events for payer and payee. */
export const writeInvoice = (
  op: "insert" | "replace",
  record: Invoice,
  types: ReadonlyArray<InvoiceEventType>,
  ids: Ids["Service"],
  at: Timestamp,
): Commit => ({
  writes: [{ op, kind: "invoice", record }],
  events: types.flatMap((type) =>
    eventsFor({ type, data: invoiceView(record), ...about(record) }, ids, at),
  ),
})

/** A new subscription claims the name of its agent's plan, and a cancelled one releases it. */
const nameChange = (op: "insert" | "replace", record: Subscription): ReadonlyArray<KeyChange> => {
  const name = { key: planName(record), owner: record.id }
  if (op === "insert") return [{ op: "claim", ...name }]
  return record.status === "cancelled" ? [{ op: "release", ...name }] : []
}

/** Returns the commit of a subscription, with its events for both sides. */
export const writeSubscription = (
  op: "insert" | "replace",
  record: Subscription,
  types: ReadonlyArray<SubscriptionEventType>,
  ids: Ids["Service"],
  at: Timestamp,
): Commit => ({
  writes: [{ op, kind: "subscription", record }],
  keys: nameChange(op, record),
  events: types.flatMap((type) =>
    eventsFor({ type, data: subscriptionView(record), ...about(record) }, ids, at),
  ),
})

/** The events of a new invoice, by its state. */
const CREATED: { readonly [S in Invoice["status"]]?: ReadonlyArray<InvoiceEventType> } = {
  paid: ["invoice.created", "invoice.paid"],
  void: ["invoice.created", "invoice.voided"],
}

/** Returns the commit of a new invoice. An invoice that nobody has to pay has ended already. */
export const insertInvoice = (record: Invoice, ids: Ids["Service"], at: Timestamp): Commit =>
  writeInvoice("insert", record, CREATED[record.status] ?? ["invoice.created"], ids, at)
