import { defineKind, ownDueAt } from "../commits/KindDeclaration.ts"
import { Result, Schema } from "effect"
import * as Machine from "../shared/Machine.ts"
import type { Money } from "../shared/Money.ts"
import { DAY, HOUR, MINUTE, type Timestamp } from "../shared/Timestamp.ts"
import { Amount } from "../shared/Wire.ts"

/** How long an invoice can be paid before it is overdue, in milliseconds. */
export const PAYMENT_TERM = 7 * DAY

/** How long after its opening an invoice is given up, in milliseconds. */
export const COLLECTED_FOR = 14 * DAY

/** The states of an invoice with the fields of each. */
export interface InvoiceFacts {
  open: object
  paid: { paid_at: Timestamp }
  void: { voided_at: Timestamp }
  uncollectible: { given_up_at: Timestamp }
}

/** The moves of an invoice; `at` is the service's time. */
export type InvoiceEvent =
  | { readonly type: "asked"; readonly payment_intent: string | null; readonly first: boolean }
  | { readonly type: "unreached" }
  | { readonly type: "overdue" }
  | { readonly type: "paid"; readonly at: Timestamp }
  | { readonly type: "voided"; readonly at: Timestamp }
  | { readonly type: "given_up"; readonly at: Timestamp }

/**
 * A line of an invoice: `quantity` times `unit_amount`, rounded once: half to even, or up in a
 * period that ended because its tab was closed. The line of what earlier bills have left has the
 * rest of the invoice's amount, which is the exact sum of both, rounded once.
 */
export const InvoiceLine = Schema.Struct({
  description: Schema.String.annotateKey({ description: "What the line is for." }),
  quantity: Schema.String.annotate({ description: "The quantity, as an exact decimal." }),
  unit_amount: Schema.String.annotate({
    description: "The price of one unit in minor units, as an exact decimal.",
  }),
  amount: Amount.annotateKey({ description: "The total of the line." }),
})
/** See {@link InvoiceLine}. */
export type InvoiceLine = typeof InvoiceLine.Type

/**
 * The progress of collection: `new`, `asked` once the payer was asked for the money or charged
 * through its install, and `overdue` after the term. It is `new` again where a charge was declined
 * and has no link.
 */
export type Collection = "new" | "asked" | "overdue"

/** The fields of an invoice in every state. */
export interface InvoiceCommon {
  /** `inv_` and a UUIDv7: that of its period, except for a subscription's first. */
  readonly id: string
  readonly version: number
  /** The account of the payer. */
  readonly account_id: string
  readonly payee_account_id: string
  readonly service_id: string
  /** The subscription of its period; null for an invoice for use. */
  readonly subscription: string | null
  /** The tab of its use; null for an invoice of a subscription. */
  readonly tab: string | null
  readonly payer: { readonly agent_id: string; readonly human_id: string | null }
  readonly lines: ReadonlyArray<InvoiceLine>
  readonly amount: Money
  readonly collection: Collection
  /** The payment that pays it, or the last attempt; null when there was none. */
  readonly payment_intent: string | null
  /** The number of the period. Each period has one invoice. */
  readonly period: number
  readonly period_start: Timestamp
  readonly period_end: Timestamp
  /** When it becomes overdue; `due_at` on the wire. */
  readonly pay_by: Timestamp
  readonly created_at: Timestamp
  /** When a worker handles it next. */
  readonly due_at: Timestamp | null
}

/** An invoice in one of its states. */
export type Invoice = InvoiceCommon & Machine.InState<InvoiceFacts>

/** The states of an invoice. */
export const INVOICE_STATUSES = ["open", "paid", "void", "uncollectible"] as const

/** Returns when the invoice is given up. */
export const collectedUntil = ({ created_at }: Pick<Invoice, "created_at">): Timestamp =>
  created_at + COLLECTED_FOR

/** The events about invoices (Events). */
export type InvoiceEventType =
  | "invoice.created"
  | "invoice.paid"
  | "invoice.overdue"
  | "invoice.voided"
  | "invoice.uncollectible"

const attempt = ({ first, payment_intent }: Extract<InvoiceEvent, { type: "asked" }>): object => ({
  payment_intent,
  ...(first && { collection: "asked" }),
})

/** The legal moves of an invoice. One that was given up is still owed: it can be paid or voided. */
export const table: Machine.Table<InvoiceFacts, InvoiceEvent, InvoiceEventType> = {
  open: {
    asked: {
      to: "open",
      set: attempt,
    },
    unreached: {
      to: "open",
      set: () => ({ collection: "new" }),
    },
    overdue: {
      to: "open",
      set: () => ({ collection: "overdue" }),
      emit: "invoice.overdue",
    },
    paid: {
      to: "paid",
      set: ({ at }) => ({ paid_at: at }),
      emit: "invoice.paid",
    },
    voided: {
      to: "void",
      set: ({ at }) => ({ voided_at: at }),
      emit: "invoice.voided",
    },
    given_up: {
      to: "uncollectible",
      set: ({ at }) => ({ given_up_at: at }),
      emit: "invoice.uncollectible",
    },
  },
  paid: {},
  void: {},
  uncollectible: {
    asked: { to: "uncollectible", set: attempt },
    paid: {
      to: "paid",
      set: ({ at }) => ({ paid_at: at }),
      drop: ["given_up_at"],
      emit: "invoice.paid",
    },
    voided: {
      to: "void",
      set: ({ at }) => ({ voided_at: at }),
      drop: ["given_up_at"],
      emit: "invoice.voided",
    },
  },
}

const lifecycle = Machine.make<InvoiceCommon, InvoiceFacts, InvoiceEvent, InvoiceEventType>(table)

/** Tells whether the money of an invoice is owed, even if nobody collects it any more. */
export const isOwed = ({ status }: Pick<Invoice, "status">): boolean =>
  status === "open" || status === "uncollectible"

/** Returns when a worker handles the invoice next; null when nothing is due. */
const dueAt = (invoice: Invoice): Timestamp | null => {
  if (invoice.status !== "open") return null
  switch (invoice.collection) {
    case "new":
      return invoice.created_at
    case "asked":
      return invoice.pay_by
    case "overdue":
      return collectedUntil(invoice)
  }
}

/** Postpones the worker's next look at the invoice by an hour. */
export const postponed = (invoice: Invoice, now: Timestamp): Invoice => ({
  ...invoice,
  due_at: now + HOUR,
})

/** The limits of the time between two attempts to collect a new invoice; up to twice by its id. */
const [SOONEST, LATEST] = [MINUTE, 3 * HOUR]

/** Returns an invoice's place among all, from 0 to below 1: the last bits of its id are random. */
const placeOf = ({ id }: Invoice): number => Number.parseInt(id.slice(-8), 16) / 2 ** 32

/**
 * Postpones the collection of a new invoice whose payer can neither be charged nor asked now: for
 * as long as it has waited already, at most three hours, and up to as long again by its id, but no
 * longer than its term. Invoices that have met the same outage are thus spread: together, each
 * attempt would be too many for the channel, and be refused as one. The same invoice waits the same
 * time in every process.
 */
export const collectedLater = (invoice: Invoice, now: Timestamp): Invoice => {
  const waited = Math.min(Math.max(now - invoice.created_at, SOONEST), LATEST)
  const wait = Math.floor(waited * (1 + placeOf(invoice)))
  return { ...invoice, due_at: Math.min(now + wait, invoice.pay_by) }
}

/** Moves an invoice through its lifecycle. */
export const step = (
  invoice: Invoice,
  event: InvoiceEvent,
): Result.Result<Machine.Moved<Invoice, InvoiceEventType>, Machine.InvalidTransition> =>
  Result.map(lifecycle.step(invoice, event), ({ emit, record }) => ({
    emit,
    record: { ...record, due_at: dueAt(record) },
  }))

/** The fields of a new invoice. */
export type InvoiceTerms = Pick<
  Invoice,
  | "account_id"
  | "payee_account_id"
  | "service_id"
  | "subscription"
  | "tab"
  | "payer"
  | "lines"
  | "amount"
  | "period"
  | "period_start"
  | "period_end"
>

const drafted = (id: string, terms: InvoiceTerms, at: Timestamp): InvoiceCommon => ({
  ...terms,
  id,
  version: 1,
  collection: "new",
  payment_intent: null,
  pay_by: at + PAYMENT_TERM,
  created_at: at,
  due_at: at,
})

/**
 * Makes a new invoice, to be collected immediately. An invoice over zero is paid from the start.
 */
export const draft = (id: string, terms: InvoiceTerms, at: Timestamp): Invoice => {
  const common = drafted(id, terms, at)
  return terms.amount.value === 0
    ? { ...common, due_at: null, status: "paid", paid_at: at }
    : { ...common, status: "open" }
}

/** Makes an invoice that nobody has to pay, with the reason on its lines. */
export const waived = (id: string, terms: InvoiceTerms, reason: string, at: Timestamp): Invoice => {
  const lines = terms.lines.map((line) => ({
    ...line,
    description: `${line.description} (${reason})`,
  }))
  const common = drafted(id, { ...terms, lines }, at)
  return { ...common, due_at: null, status: "void", voided_at: at }
}

declare module "../commits/Records.ts" {
  interface DueRecords {
    readonly invoice: Invoice
  }
}

/** How the store keeps invoices. */
export const invoiceKind = defineKind("invoice", {
  prefix: "inv",
  erased: true,
  dueAt: ownDueAt,
  unique: [{ by: ["subscription", "period"] }, { by: ["tab", "period"] }],
  lists: [["account_id"], ["payee_account_id"], ["subscription", "status"], ["tab", "status"]],
})
