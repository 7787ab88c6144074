import { defineKind, ownDueAt } from "../commits/KindDeclaration.ts"
import { type Interval, numberAt, type Period, periodOf } from "../shared/Period.ts"
import { MAX_VALUE } from "../shared/Money.ts"
import { DAY, type Timestamp } from "../shared/Timestamp.ts"
import type { Carried } from "./TabBill.ts"
import { priceOf } from "./Usage.ts"

/** The price of use: the manifest's price when the tab was opened. */
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
 * A period that ended because the tab was closed. Use until then can still be reported for
 * {@link REPORTED_FOR}. Then it is billed on its own terms, even if the tab is open again.
 */
export interface StoppedPeriod extends Closing {
  /** When the tab had been opened. Earlier use is not billed. */
  readonly opened_at: Timestamp
  readonly human_id: string | null
  readonly price: TabPrice
  /** Until when its use can be reported; null after that, until it is billed. */
  readonly reported_until: Timestamp | null
}

/** A period that accepts no more use, with what bills it. */
export interface Billable extends Closing {
  readonly human_id: string | null
  readonly price: TabPrice
  readonly isStopped: boolean
}

/** How long use can be reported after its tab was closed, in milliseconds. */
export const REPORTED_FOR = DAY

/** The most stopped periods of a tab. A tab with as many is not opened again. */
export const MOST_STOPPED = 100

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
  /** The periods in which it was closed, oldest first, until they are billed. */
  readonly stopped: ReadonlyArray<StoppedPeriod>
  /** What bills that could not be paid have left to the next ones. */
  readonly carried: Carried
  readonly created_at: Timestamp
  /** When a worker closes or bills its next period. */
  readonly due_at: Timestamp | null
}

/** The owner of a tab, and its service. */
export type TabHolder = Pick<Tab, "service_id" | "account_id" | "agent_id">

/** Returns the text whose hash is a tab's id, so that each agent of an account has one tab. */
export const tabName = ({ account_id, agent_id, service_id }: TabHolder): string =>
  `tab:${service_id}:${account_id}:${agent_id}`

/** Returns what the names of the counters of a tab's periods begin with. */
export const periodCounters = (tabId: string): string => `usage:${tabId}:`

/** Returns the counter that all use of a period adds to. A closed period accepts nothing more. */
export const periodCounter = (tab: Pick<Tab, "id">, number: number): string =>
  `${periodCounters(tab.id)}${number}`

/** The parts of a minor unit in which a period counts its use. */
export const PARTS = 1_000

/**
 * The most that a period accepts, in parts of a minor unit: as much as a payment can have. Each
 * report counts its price, rounded up, and at least one part, so that the bill is never more than
 * what was counted.
 */
export const MOST_USE = MAX_VALUE * PARTS

/** What closing a period adds to its counter, so that no use fits any more. */
export const CLOSED = 2 * MOST_USE

/** Returns how much of {@link MOST_USE} a report takes; more than all of it if it has no room. */
export const weightOf = (quantity: string, { rate }: TabPrice): number =>
  Math.min(Math.max(1, priceOf(quantity, rate, "ceil", PARTS)), MOST_USE + 1)

/** Returns when a worker handles the tab next; null when nothing is due. */
const dueAt = (tab: Tab, now: Timestamp): Timestamp | null => {
  if (tab.closing !== null) return now
  const times = tab.stopped.map(({ reported_until }) => reported_until ?? now)
  if (tab.status === "open") times.push(tab.period_end)
  return times.length === 0 ? null : Math.min(...times)
}

/** Opens a new tab, or one that was closed. Its stopped periods stay as they are. */
export const openTab = (
  terms: Pick<Tab, "id" | "payee_account_id" | "human_id" | "price"> & TabHolder,
  before: Tab | undefined,
  now: Timestamp,
): Tab => {
  const base = before === undefined ? 0 : before.period + 1
  const { end, start } = periodOf(now, terms.price.billing_cycle, 0)
  const opened: Tab = {
    ...terms,
    version: before?.version ?? 1,
    status: "open",
    anchor_at: now,
    base,
    period: base,
    period_start: start,
    period_end: end,
    closing: null,
    stopped: before?.stopped ?? [],
    carried: before?.carried ?? [],
    created_at: before?.created_at ?? now,
    due_at: end,
  }
  return { ...opened, due_at: dueAt(opened, now) }
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

/** Closes the tab. Its current period ends now, and can be reported for {@link REPORTED_FOR}. */
export const closed = (tab: Tab, now: Timestamp): Tab => {
  const { anchor_at: opened_at, human_id, period_end, period_start, price } = tab
  const end = Math.min(Math.max(now, period_start), period_end)
  const reported_until = now + REPORTED_FOR
  const ended = { ...closingOf(tab), end, opened_at, human_id, price, reported_until }
  const after: Tab = { ...tab, status: "closed", stopped: [...tab.stopped, ended] }
  return { ...after, due_at: dueAt(after, now) }
}

/** Returns a stopped period whose time for reports is over, but that still accepts them. */
export const overdueStop = ({ stopped }: Tab, now: Timestamp): StoppedPeriod | undefined =>
  stopped.find(({ reported_until }) => reported_until !== null && reported_until <= now)

/** Returns the tab with a stopped period that accepts no more reports, to be billed immediately. */
export const withoutReports = (tab: Tab, number: number, now: Timestamp): Tab => {
  const stopped = tab.stopped.map((each) =>
    each.number === number ? { ...each, reported_until: null } : each,
  )
  return { ...tab, stopped, due_at: now }
}

/** Returns the next period to bill; undefined while every period accepts use. */
export const billable = ({ closing, human_id, price, stopped }: Tab): Billable | undefined => {
  if (closing !== null) return { ...closing, human_id, price, isStopped: false }
  const ended = stopped.find(({ reported_until }) => reported_until === null)
  return ended && { ...ended, isStopped: true }
}

/**
 * Returns the tab after one of its periods was billed. `carried` is what is left to later ones.
 */
export const billed = (tab: Tab, number: number, carried: Tab["carried"], now: Timestamp): Tab => {
  const closing = tab.closing?.number === number ? null : tab.closing
  const after: Tab = {
    ...tab,
    closing,
    carried,
    stopped: tab.stopped.filter((each) => each.number !== number),
  }
  return { ...after, due_at: dueAt(after, now) }
}

/**
 * Returns the period that bills a use at that time, when it is reported now: the current one of an
 * open tab, or the one that ended after the use because the tab was closed. Undefined without one.
 */
export const periodOfUse = (
  { anchor_at, period, price, status, stopped }: Tab,
  at: Timestamp,
  now: Timestamp,
): Pick<Billable, "number" | "price"> | undefined =>
  status === "open" && at >= anchor_at
    ? { number: period, price }
    : stopped.find(
        ({ end, opened_at, reported_until }) =>
          at >= opened_at && at < end && reported_until !== null && now < reported_until,
      )

declare module "../commits/Records.ts" {
  interface DueRecords {
    readonly tab: Tab
  }
}

/** How the store keeps tabs. */
export const tabKind = defineKind("tab", {
  prefix: "tab",
  erased: true,
  lists: [
    ["service_id", "agent_id", "status"],
    ["service_id", "status"],
  ],
  dueAt: ownDueAt,
})
