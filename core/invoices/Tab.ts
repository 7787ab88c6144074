import { defineKind, ownDueAt } from "../commits/KindDeclaration.ts"
import type { Invoice } from "./Invoice.ts"
import { type Interval, numberAt, type Period, periodOf } from "../shared/Period.ts"
import { MAX_VALUE } from "../shared/Money.ts"
import { type Timestamp } from "../shared/Timestamp.ts"
import { priceOf, type UsageSum } from "./Usage.ts"

/** What use costs: the manifest's price when the tab was opened. */
export interface TabPrice {
  readonly unit: string
  /** Minor units for one unit of use, as an exact decimal. */
  readonly rate: string
  readonly currency: string
  readonly billing_cycle: Interval
}

/** A period that no longer accepts use and has not been billed. */
export interface Closing extends Period {
  readonly number: number
}

/**
 * The running bill of an agent that uses a service. It is opened when the agent starts cumulative
 * billing and billed once a cycle until it is closed.
 */
export interface Tab {
  /** `tab_` and the UUID of {@link tabName}. */
  readonly id: string
  readonly version: number
  /** The account of the payer. */
  readonly account_id: string
  readonly payee_account_id: string
  readonly service_id: string
  /** The payer: an agent of the account. Agents of other accounts may have the same name. */
  readonly agent_id: string
  readonly human_id: string | null
  readonly status: "open" | "closed"
  readonly price: TabPrice
  /** Start of the first period since it was last opened. Later periods keep its day and time. */
  readonly anchor_at: Timestamp
  /** How many periods there were before it was last opened. */
  readonly base: number
  /** The number of the current period; numbers are never reused. */
  readonly period: number
  readonly period_start: Timestamp
  readonly period_end: Timestamp
  readonly closing: Closing | null
  readonly created_at: Timestamp
  /** When its current period is billed. */
  readonly due_at: Timestamp | null
}

/** The owner of a tab, and its service. */
export type TabHolder = Pick<Tab, "service_id" | "account_id" | "agent_id">

/** Returns the text whose hash is a tab's id, so that each agent of an account has one tab. */
export const tabName = ({ account_id, agent_id, service_id }: TabHolder): string =>
  `tab:${service_id}:${account_id}:${agent_id}`

/** Returns the counter that all use of a period adds to. A closed period accepts nothing more. */
export const periodCounter = (tab: Pick<Tab, "id">, number: number): string =>
  `usage:${tab.id}:${number}`

/**
 * The most that a period accepts. Each report counts one plus its price in minor units, rounded up,
 * so that the period's bill can always be paid.
 */
export const MOST_USE = MAX_VALUE

/** What closing a period adds to its counter, so that no use fits any more. */
export const CLOSED = 2 * MOST_USE

/** Returns how much of {@link MOST_USE} a report takes. */
export const weightOf = (quantity: string, { rate }: TabPrice): number =>
  1 + priceOf(quantity, rate, "ceil")

/** Opens a new tab, or a tab that was closed and billed. */
export const openTab = (
  terms: Pick<Tab, "id" | "payee_account_id" | "human_id" | "price"> & TabHolder,
  before: Tab | undefined,
  now: Timestamp,
): Tab => {
  const base = before === undefined ? 0 : before.period + 1
  const { end, start } = periodOf(now, terms.price.billing_cycle, 0)
  return {
    ...terms,
    version: before?.version ?? 1,
    status: "open",
    anchor_at: now,
    base,
    period: base,
    period_start: start,
    period_end: end,
    closing: null,
    created_at: before?.created_at ?? now,
    due_at: end,
  }
}

const closingOf = (tab: Tab): Closing => ({
  number: tab.period,
  start: tab.period_start,
  end: tab.period_end,
})

/**
 * Moves the tab to the current period, and marks the previous one to be billed immediately. The
 * periods between had no use, since use is billed with the period in which it is reported.
 */
export const turned = (tab: Tab, now: Timestamp): Tab => {
  const { anchor_at, base, price } = tab
  const number = numberAt(anchor_at, price.billing_cycle, now)
  const { end, start } = periodOf(anchor_at, price.billing_cycle, number)
  return {
    ...tab,
    period: base + number,
    period_start: start,
    period_end: end,
    closing: closingOf(tab),
    due_at: now,
  }
}

/** Closes the tab, and marks the current period to be billed immediately. */
export const closed = (tab: Tab, now: Timestamp): Tab => ({
  ...tab,
  status: "closed",
  closing: { ...closingOf(tab), end: Math.min(Math.max(now, tab.period_start), tab.period_end) },
  due_at: now,
})

/** Returns the tab after its closing period was billed. */
export const billed = (tab: Tab): Tab => ({
  ...tab,
  closing: null,
  due_at: tab.status === "open" ? tab.period_end : null,
})

/** Returns the invoice fields that bill a period; undefined where nothing was used. */
export const billOf = (
  tab: Tab,
  { end, number, start }: Closing,
  { quantity, records }: UsageSum,
): Pick<Invoice, "lines" | "amount" | "period" | "period_start" | "period_end"> | undefined => {
  if (records === 0) return undefined
  const { currency, rate, unit } = tab.price
  const amount = { currency, value: priceOf(quantity, rate) }
  return {
    lines: [{ description: unit, quantity, unit_amount: rate, amount }],
    amount,
    period: number,
    period_start: start,
    period_end: end,
  }
}

declare module "../commits/Records.ts" {
  interface DueRecords {
    readonly tab: Tab
  }
}

/** How the store keeps tabs. */
export const tabKind = defineKind("tab", {
  prefix: "tab",
  erased: true,
  lists: [["service_id", "agent_id", "status"]],
  dueAt: ownDueAt,
})
