import { DateTime } from "effect"
import type { Commit } from "../../../core/ports/Store.ts"
import type { Interval } from "../../../core/shared/Period.ts"
import { DAY, type Timestamp, toIso } from "../../../core/shared/Timestamp.ts"
import type { Invoice } from "../../../core/invoices/Invoice.ts"
import type { Subscription } from "../../../core/invoices/Subscription.ts"
import type { Tab } from "../../../core/invoices/Tab.ts"
import { type Billing, billing, cycleOf } from "../Billing.ts"
import type { Finding, Observations, Rule, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"
import { UNSPENT } from "./lifecycle.ts"
import { billedInFull, billedOnce, inTabPeriod } from "./use.ts"

declare module "../Observation.ts" {
  interface Observations {
    /** Subscriptions and invoices at rest. */
    readonly billing: { readonly invoices: ReadonlyArray<Invoice | undefined> }
  }
}

const MONTHS: { readonly [I in Interval]?: number } = { monthly: 1, quarterly: 3, yearly: 12 }

/** Returns when the period of that number begins, by a calendar of the auditor's own. */
const beginning = (anchor: Timestamp, interval: Interval, number: number): Timestamp => {
  const months = MONTHS[interval]
  if (months === undefined) return anchor + number * (interval === "weekly" ? 7 : 1) * DAY
  const later = DateTime.add(DateTime.makeUnsafe(anchor), { months: months * number })
  return DateTime.toEpochMillis(later)
}

/** Returns the invoice that a commit makes for a subscription. */
const madeFor = ({ writes }: Commit, subscription: string): Invoice | undefined =>
  writes.flatMap(({ kind, op, record }) =>
    kind === "invoice" && op === "insert" && record.subscription === subscription ? [record] : [],
  )[0]

const invoiced: Rule<"write"> = ({ commit, write }, model) => {
  const known = model.know(billing)
  if (write.kind === "invoice" && write.op === "insert") {
    const other = known.cycles.get(cycleOf(write.record))
    return other === undefined ? undefined : `is for the same period as ${other}`
  }
  if (write.kind !== "subscription") return undefined
  const { id, period, service_id, status } = write.record
  const before = known.subscriptions.get(id)
  const made = madeFor(commit, id)
  if (before?.period === period) return made === undefined ? undefined : "bills a period again"
  // What a period costs is decided by its beginning, however late a worker comes.
  const was = before && known.stateOf(service_id, before.current_period_end)
  if (made === undefined) {
    return was === "paused" ? undefined : `begins period ${period} without an invoice`
  }
  if (was !== undefined && was !== "active") {
    return `bills period ${period}, which began while its service was ${was}`
  }
  return made.period === period && status !== "cancelled" && made.id === write.record.latest_invoice
    ? undefined
    : `begins period ${period} with the invoice of another`
}

/** Checks that a period begins where the last one ends, and that both ends are the calendar's. */
const joined = (after: Subscription, before: Subscription | undefined): Finding => {
  const { anchor_at, current_period_end, current_period_start, interval, period } = after
  if (before !== undefined && before.anchor_at !== anchor_at) return "has another beginning"
  const [start, end] = [0, 1].map((n) => beginning(anchor_at, interval, period + n))
  if (current_period_start !== start || current_period_end !== end) {
    const days = `${toIso(current_period_start)} to ${toIso(current_period_end)}`
    return `has period ${period} from ${days}`
  }
  if (before === undefined || before.period === period) return undefined
  return period === before.period + 1 && before.current_period_end === start
    ? undefined
    : `goes from period ${before.period} to ${period}`
}

const inPeriod: Rule<"write"> = ({ commit, write }, model) => {
  const known = model.know(billing)
  if (write.kind === "subscription") {
    return joined(write.record, known.subscriptions.get(write.record.id))
  }
  if (write.kind === "tab") return inTabPeriod(write.record, known.tabs.get(write.record.id))
  if (write.kind !== "invoice" || write.op !== "insert") return undefined
  const { period_end, period_start, subscription } = write.record
  const of = commit.writes.find(({ record }) => record.id === subscription)
  if (of?.kind !== "subscription") return undefined
  const { current_period_end, current_period_start } = of.record
  return period_start === current_period_start && period_end === current_period_end
    ? undefined
    : "is for other days than its period has"
}

/** Checks that an invoice and the payment that completes it change together, once. */
const paidOnce: Rule<"write"> = ({ commit, write }, model) => {
  const known = model.know(billing)
  if (write.kind === "payment_intent") return pays(write.record, commit, known)
  if (write.kind !== "invoice" || write.record.status !== "paid") return undefined
  const { amount, id } = write.record
  const before = known.invoices.get(id)
  if (before?.status === "paid") return "is written after it was paid"
  if (known.given.has(id) && before === undefined) return undefined
  if (amount.value === 0) return undefined
  const paid = commit.writes.find(
    ({ kind, record }) => kind === "payment_intent" && record.invoice === id,
  )
  if (paid?.kind !== "payment_intent" || paid.record.status !== "completed") {
    return "is paid by nothing"
  }
  const { currency, value } = paid.record.amount
  return value === amount.value && currency === amount.currency
    ? undefined
    : `is paid by ${value} ${currency}`
}

const pays = (
  { id, invoice, status }: Observations["intent"]["after"],
  commit: Commit,
  known: Billing,
): Finding => {
  if (invoice === null || status !== "completed") return undefined
  const other = known.paidBy.get(invoice)
  if (other !== undefined) return other === id ? undefined : `pays what ${other} has paid`
  const written = commit.writes.find(({ record }) => record.id === invoice)
  return written?.kind === "invoice" && written.record.status === "paid"
    ? undefined
    : `leaves its invoice ${known.invoices.get(invoice)?.status}`
}

/** Checks that the channels hold the amount of each paid invoice, and nothing for others. */
const settled: Rule<"billing"> = ({ invoices }, model) => {
  const taken = new Map<string, number>()
  for (const { record } of model.intents.values()) {
    if (record.invoice === null) continue
    const sum = taken.get(record.invoice) ?? 0
    const kept = UNSPENT.has(record.status) ? 0 : model.booksOf(record.id).taken
    // Money that the seller has refunded was paid all the same.
    taken.set(record.invoice, sum + kept + record.refunded.value)
  }
  const { given } = model.know(billing)
  for (const invoice of invoices) {
    if (invoice === undefined) return "has lost an invoice"
    const { amount, id, status } = invoice
    const due = status === "paid" && !given.has(id) ? amount.value : 0
    const sum = taken.get(id) ?? 0
    if (sum !== due) return `has taken ${sum} for ${id}, which is ${status} and over ${due}`
  }
  return undefined
}

/** Checks that a cancelled subscription ends, and that a requested cancellation takes effect. */
const ended: Rule<"write"> = ({ commit, write }, model) => {
  if (write.kind !== "subscription") return undefined
  const before = model.know(billing).subscriptions.get(write.record.id)
  if (before === undefined) return undefined
  if (before.status === "cancelled") {
    const change = difference(before, write.record, ["version"])
    return change && `changes after it was cancelled: ${change}`
  }
  if (madeFor(commit, before.id) === undefined) return undefined
  return before.cancel_at_period_end ? "goes on although it was to end" : undefined
}

/** How long an invoice may stay open before it is overdue. */
const TERM = 7 * DAY

/** Checks that an invoice which was given up is only paid, voided, or asked for by its payer. */
const stillOwed = (before: Invoice, after: Invoice): Finding => {
  if (after.status === "paid" || after.status === "void") return undefined
  const change = difference(before, after, ["version", "payment_intent", "collection"])
  return change && `changes after it was given up: ${change}`
}

/** How long after its term an invoice may be marked as overdue: workers are never so late. */
const MARKED_WITHIN = DAY

/** Checks that an open invoice is overdue when its term is over, and so is its subscription. */
const marked = (
  before: Invoice,
  { collection, created_at, subscription }: Invoice,
  { commit, at }: Observations["write"],
  known: Billing,
): Finding => {
  if (before.collection === "overdue") return undefined
  if (collection !== "overdue") {
    const late = at - created_at - TERM - MARKED_WITHIN
    return late < 0 ? undefined : `was to be overdue ${late + MARKED_WITHIN} ms ago`
  }
  if (subscription === null) return undefined
  if (known.subscriptions.get(subscription)?.status !== "active") return undefined
  const isPastDue = commit.writes.some(
    ({ kind, record }) =>
      kind === "subscription" && record.id === subscription && record.status === "past_due",
  )
  return isPastDue ? undefined : "is overdue, and its subscription is not"
}

const inTime: Rule<"write"> = (seen, model) => {
  const { commit, write } = seen
  if (write.kind !== "invoice") return undefined
  const { collection, created_at, id, status } = write.record
  const before = model.know(billing).invoices.get(id)
  if (before === undefined) return undefined
  if (before.status === "uncollectible") return stillOwed(before, write.record)
  if (before.status !== "open") return `changes after it was ${before.status}`
  const unmarked = marked(before, write.record, seen, model.know(billing))
  if (unmarked !== undefined) return unmarked
  if (collection === "overdue" && before.collection !== "overdue") {
    return early(created_at + TERM, commit, "overdue")
  }
  if (status === "open" && before.collection === "overdue" && collection !== "overdue") {
    return "is not overdue any more"
  }
  return status === "uncollectible" ? early(created_at + 2 * TERM, commit, "given up") : undefined
}

/** Checks that a commit was not decided before `due`. Its events are made when it is decided. */
const early = (due: Timestamp, { events = [] }: Commit, what: string): Finding => {
  const at = events[0]?.created_at ?? due
  return at < due ? `is ${what} ${due - at} ms before its time` : undefined
}

const rested: Rule<"billing"> = ({ invoices }, model) => {
  const open = invoices.find((invoice) => invoice?.status === "open")
  if (open !== undefined) return `leaves ${open.id} open`
  const { subscriptions, tabs } = model.know(billing)
  const due = [...subscriptions.values()].find(({ status }) => status === "past_due")
  if (due !== undefined) return `leaves ${due.id} past due`
  const unbilled = [...tabs.values()].find(
    ({ closing, stopped }: Tab) => closing !== null || stopped.length > 0,
  )
  return unbilled === undefined ? undefined : `leaves a period of ${unbilled.id} without its bill`
}

/** The rules about subscriptions, invoices and tabs. */
export const billingRules: Rulebook = {
  68: { write: invoiced },
  69: { write: inPeriod },
  70: { write: billedOnce, billing: billedInFull },
  71: { write: paidOnce, billing: settled },
  72: { write: ended },
  73: { billing: rested },
  74: { write: inTime },
}
