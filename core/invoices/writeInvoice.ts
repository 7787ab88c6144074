import type { Commit } from "../commits/Commit.ts"
import type { Ids } from "../ports/Ids.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { type Event, eventsFor, type EventType } from "../webhooks/events/Event.ts"
import { type Invoice } from "./Invoice.ts"
import { type Subscription } from "./Subscription.ts"
import { subscriptionView } from "./SubscriptionView.ts"
import { invoiceView } from "./InvoiceView.ts"

type Record = Invoice | Subscription

const events = (
  record: Record,
  data: Event["data"],
  types: ReadonlyArray<EventType>,
  ids: Ids["Service"],
  at: Timestamp,
): ReadonlyArray<Event> =>
  types.flatMap((type) => {
    const accounts = [record.payee_account_id, record.account_id]
    const { id: subject_id, service_id } = record
    return eventsFor({ type, accounts, service_id, subject_id, data }, ids, at)
  })

/** An invoice as a commit writes it, with what both sides are told of it. */
export const writeInvoice = (
  op: "insert" | "replace",
  record: Invoice,
  types: ReadonlyArray<EventType>,
  ids: Ids["Service"],
  at: Timestamp,
): Commit => ({
  writes: [{ op, kind: "invoice", record }],
  events: events(record, invoiceView(record), types, ids, at),
})

/** A subscription as a commit writes it, with what both sides are told of it. */
export const writeSubscription = (
  op: "insert" | "replace",
  record: Subscription,
  types: ReadonlyArray<EventType>,
  ids: Ids["Service"],
  at: Timestamp,
): Commit => ({
  writes: [{ op, kind: "subscription", record }],
  events: events(record, subscriptionView(record), types, ids, at),
})

/** A new invoice as a commit writes it: one over nothing is paid already. */
export const insertInvoice = (record: Invoice, ids: Ids["Service"], at: Timestamp): Commit =>
  writeInvoice(
    "insert",
    record,
    record.status === "paid" ? ["invoice.created", "invoice.paid"] : ["invoice.created"],
    ids,
    at,
  )
