// Written independently of core/subscriptions on purpose: see Model.ts.

import type { Write } from "../../core/ports/Store.ts"
import type { Invoice } from "../../core/invoices/Invoice.ts"
import type { Subscription } from "../../core/invoices/Subscription.ts"
import type { Tab, TabPrice } from "../../core/invoices/Tab.ts"
import type { UsageRecord } from "../../core/invoices/Usage.ts"
import type { ServiceManifest } from "../../core/registry/ServiceManifest.ts"
import { DAY, MINUTE, type Timestamp } from "../../core/shared/Timestamp.ts"
import { PAUSE } from "../world/processes/Process.ts"
import { millionths } from "./invariants/millionths.ts"
import { knowledge } from "./Knowledge.ts"

/** The longest time between a decision and its commit: a process may pause twice. */
const DECIDES_WITHIN = 2 * PAUSE.longest + MINUTE

/** A time in which a tab was open. */
export interface Span {
  readonly opened: Timestamp
  /** When it was closed, and the period that ended so; undefined while it is open. */
  readonly end: { readonly at: Timestamp; readonly period: number } | undefined
}

/** Subscriptions, tabs and invoices, as they were stored last. */
export class Billing {
  readonly subscriptions = new Map<string, Subscription>()
  readonly tabs = new Map<string, Tab>()
  /** When each tab was open, oldest first. */
  readonly spans = new Map<string, ReadonlyArray<Span>>()
  readonly invoices = new Map<string, Invoice>()
  /** The price of each period of a tab, by the tab and the period's number. */
  readonly #prices = new Map<string, TabPrice>()
  /** The invoice of each period, by the subscription or tab and the period's number. */
  readonly cycles = new Map<string, string>()
  /** What bills have left to later ones, by tab and currency, in millionths of millionths. */
  readonly #left = new Map<string, bigint>()
  /** Until when each given-up bill of a tab was owed, by its invoice. */
  readonly #givenUp = new Map<string, { readonly tab: string; readonly until: Timestamp }>()
  readonly used = new Map<string, UsageRecord>()
  /** The usage reported for each period. */
  readonly #periods = new Map<string, Array<UsageRecord>>()
  /** The payment that paid each invoice. */
  readonly paidBy = new Map<string, string>()
  /** The keys of acknowledged usage reports, each with its units. */
  readonly acknowledged = new Map<string, number>()
  /** The invoices that were paid before the world began. */
  readonly given = new Set<string>()

  /** The states of each service, each with the time since when it had it. */
  readonly #states = new Map<string, Array<readonly [Timestamp, ServiceManifest["status"]]>>()

  /** Returns what a service was at a time, by what is known now. */
  stateOf(service: string, at: Timestamp): ServiceManifest["status"] | undefined {
    return this.#states.get(service)?.findLast(([since]) => since <= at)?.[1]
  }

  #learnService({ id, status, updated_at }: ServiceManifest): void {
    const states = this.#states.get(id) ?? []
    if (states.at(-1)?.[1] !== status) states.push([updated_at, status])
    this.#states.set(id, states)
  }

  usedIn(tab: string, period: number): ReadonlyArray<UsageRecord> {
    return this.#periods.get(`${tab} ${period}`) ?? []
  }

  /** Returns when a period ended because its tab was closed. */
  stopOf(tab: string, period: number): Timestamp | undefined {
    const span = this.spans.get(tab)?.find(({ end }) => end?.period === period)
    return span?.end?.at
  }

  /** Returns the price of a tab's period. */
  priceIn(tab: string, period: number): TabPrice | undefined {
    return this.#prices.get(`${tab} ${period}`)
  }

  #learnTab(tab: Tab, at: Timestamp): void {
    if (tab.status === "open") this.#prices.set(`${tab.id} ${tab.period}`, tab.price)
    const before = this.tabs.get(tab.id)?.status ?? "closed"
    this.tabs.set(tab.id, tab)
    if (tab.status === before) return
    const spans = this.spans.get(tab.id) ?? []
    const last = spans.at(-1)
    if (tab.status === "open") {
      this.spans.set(tab.id, [...spans, { opened: tab.anchor_at, end: undefined }])
    } else if (last !== undefined) {
      // The time for reports begins with the decision, after which a process may have paused.
      const decided = (tab.stopped.at(-1)?.reported_until ?? at + DAY) - DAY
      const stop = Math.min(at, Math.max(decided, at - DECIDES_WITHIN))
      const ended = { ...last, end: { at: stop, period: tab.period } }
      this.spans.set(tab.id, [...spans.slice(0, -1), ended])
    }
  }

  /** Returns what earlier bills have left to one of that currency, in millionths of millionths. */
  leftTo(tab: string, currency: string): bigint {
    return this.#left.get(`${tab} ${currency}`) ?? 0n
  }

  /** Returns what a bill's use costs, before it is rounded, in millionths of millionths. */
  costOf({ lines, period, tab }: Invoice): bigint {
    const used = this.usedIn(tab ?? "", period)
    const sum = used.reduce((total, { quantity }) => total + millionths(quantity), 0n)
    return sum * millionths(lines[0]?.unit_amount ?? "0")
  }

  /** Returns until when a tab has last owed a bill that was given up. */
  owedUntil(tab: string): Timestamp {
    const owed = [...this.#givenUp.values()].filter((one) => one.tab === tab)
    return owed.reduce((last, { until }) => Math.max(last, until), -Infinity)
  }

  #learnInvoice({ id, status, tab }: Invoice, at: Timestamp): void {
    if (tab === null) return
    if (status === "uncollectible") this.#givenUp.set(id, { tab, until: Infinity })
    else if (this.#givenUp.has(id)) this.#givenUp.set(id, { tab, until: at })
  }

  #learnBill(bill: Invoice): void {
    const { amount, status, tab } = bill
    if (tab === null) return
    const name = `${tab} ${amount.currency}`
    if (status !== "void") this.#left.delete(name)
    else this.#left.set(name, this.leftTo(tab, amount.currency) + this.costOf(bill))
  }

  /** Returns the invoices of an account that can be paid. */
  owedBy(account: string): ReadonlyArray<Invoice> {
    return [...this.invoices.values()].filter(
      ({ account_id, status }) =>
        account_id === account && (status === "open" || status === "uncollectible"),
    )
  }

  /** Returns the subscriptions of an account that continue. */
  keptBy(account: string): ReadonlyArray<Subscription> {
    return [...this.subscriptions.values()].filter(
      ({ account_id, status }) => account_id === account && status !== "cancelled",
    )
  }

  learn({ kind, op, record }: Write, at: Timestamp): void {
    switch (kind) {
      case "service":
        this.#learnService(record)
        return
      case "subscription":
        this.subscriptions.set(record.id, record)
        return
      case "tab":
        this.#learnTab(record, at)
        return
      case "invoice":
        this.invoices.set(record.id, record)
        this.#learnInvoice(record, at)
        if (op !== "insert") return
        this.cycles.set(cycleOf(record), record.id)
        this.#learnBill(record)
        return
      case "usage_record": {
        this.used.set(record.id, record)
        const name = `${record.tab} ${record.period}`
        this.#periods.set(name, [...(this.#periods.get(name) ?? []), record])
        return
      }
      case "payment_intent":
        if (record.invoice !== null && record.status === "completed") {
          this.paidBy.set(record.invoice, record.id)
        }
        return
      default:
    }
  }
}

/** Returns the subscription or tab and the period that an invoice must be unique for. */
export const cycleOf = ({ period, subscription, tab }: Invoice): string =>
  `${subscription ?? tab} ${period}`

/** The auditor's knowledge about subscriptions, usage and invoices. */
export const billing = knowledge("billing", Billing, (known, write, at) => known.learn(write, at))
