// Written independently of core/billing on purpose: see Model.ts.

import { DateTime } from "effect"
import type { Account, Plan } from "../../../core/accounts/Account.ts"
import type { BillView } from "../../../core/billing/BillView.ts"
import type { BillingCycle } from "../../../core/accounts/BillingCycle.ts"
import { DAY, MINUTE, type Timestamp, toIso, utcDay } from "../../../core/shared/Timestamp.ts"
import { PAUSE } from "../../world/processes/Process.ts"
import type { Model } from "../Model.ts"
import type { Finding, Observations, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"
import { kept } from "./ownership.ts"
import { inProportion } from "./taken.ts"

type Bill = typeof BillView.Type

declare module "../Observation.ts" {
  interface Observations {
    /** What an account is told at rest of its use in a month. */
    readonly bill_shown: { readonly account: Account; readonly month: string; readonly bill: Bill }
    /** All statements of an account at rest, page by page. */
    readonly statements_listed: {
      readonly account: Account
      readonly listed: ReadonlyArray<Bill & { readonly id: string }>
    }
  }
}

interface Terms {
  readonly price: number
  readonly cap: number | null
  /** Parts per ten thousand, and as it is shown. */
  readonly overage: readonly [number, string | null]
}

/** The plans' prices and volume caps, in cents. */
const TERMS: { readonly [P in Plan]: Terms } = {
  starter: { price: 2_900, cap: 1_000_000, overage: [100, "1.0"] },
  pro: { price: 9_900, cap: 10_000_000, overage: [50, "0.5"] },
  enterprise: { price: 29_900, cap: null, overage: [0, null] },
}

const ALL = [null, null, null] as const
const NONE = [0, 0, 0] as const

type Free = readonly [number | null, number | null, number | null]

/** The price of each operation in dollars, how many plans include, and it in parts of a cent. */
const OPERATIONS: { readonly [name: string]: readonly [string, Free, over: number, of: number] } = {
  "scan-qr": ["0.005", [1_000, 10_000, null], 1, 2],
  "nlp-payment": ["0.003", [100, 5_000, null], 3, 10],
  "nlp-batch": ["0.0025", [0, 0, null], 1, 4],
  "qr-generation": ["0.001", NONE, 1, 10],
  "fx-quote": ["0.002", [500, 500, 500], 1, 5],
  "fx-route": ["0.002", ALL, 1, 5],
  "reconciliation-report": ["0.01", [50, 50, 50], 1, 1],
  "webhook-replay": ["0.005", [10, 10, 10], 1, 2],
  "sandbox-reset": ["0.10", [5, 5, 5], 10, 1],
}

const PLANS: ReadonlyArray<Plan> = ["starter", "pro", "enterprise"]

const usd = (value: number) => ({ currency: "USD", value })

/** Returns the first moment of a month, and of the next one. */
const boundsOf = (month: string): readonly [Timestamp, Timestamp] => {
  const start = DateTime.makeUnsafe(`${month}-01T00:00:00Z`)
  return [DateTime.toEpochMillis(start), DateTime.toEpochMillis(DateTime.add(start, { months: 1 }))]
}

/** Returns a plan's price in a month: in that of the opening, of the days that are left. */
const priceIn = ({ price }: Terms, month: string, opened: Timestamp): number => {
  const [start, end] = boundsOf(month)
  const whole = (end - start) / DAY
  const before = opened <= start ? 0 : Math.floor((opened - start) / DAY)
  return before >= whole ? 0 : inProportion(price, whole - before, whole)
}

const chargesOf = ({ operations }: Bill, plan: Plan) =>
  Object.entries(OPERATIONS).map(([operation, [unit_price, frees, over, of]], n) => {
    const count = operations[n]?.count ?? 0
    const free = frees[PLANS.indexOf(plan)] ?? null
    const billable = free === null || count <= free ? 0 : count - free
    const cost = usd(inProportion(billable, over, of))
    return { operation, count, free_allowance: free, billable, unit_price, cost }
  })

/** A process may have decided a payment in a month, and store it when the month is closed. */
const DECIDED = 2 * PAUSE.longest + MINUTE

/**
 * Returns what payers paid an account in a month, by currency; undefined if some of it came so late
 * in the month that it may have been closed before, by a process whose clock was ahead.
 */
const volumesIn = (account: string, month: string, model: Model) => {
  const [, end] = boundsOf(month)
  const paid = [...model.posted.values()].filter(
    ({ account_id, created_at, kind, ledger_account }) =>
      account_id === account &&
      kind === "settled" &&
      ledger_account === "payer_clearing" &&
      utcDay(created_at).startsWith(month),
  )
  if (paid.some(({ created_at }) => created_at >= end - DECIDED - 2 * model.clocksOff)) {
    return undefined
  }
  const sums = new Map<string, number>()
  for (const { amount, currency } of paid) sums.set(currency, (sums.get(currency) ?? 0) + amount)
  return [...sums].map(([currency, value]) => `${value} ${currency}`).toSorted()
}

/** Checks the volume of a bill, and the charge for what is above the plan's cap. */
const volumeOf = ({ volume }: Bill, { cap, overage: [share, shown] }: Terms) => {
  const total = volume.by_currency.reduce((sum, one) => sum + one.total.value, 0)
  const above = cap === null || total <= cap ? 0 : total - cap
  return {
    ...volume,
    total: usd(total),
    cap: cap === null ? null : usd(cap),
    above_cap: usd(above),
    overage_percent: shown,
    overage: usd(inProportion(above, share, 10_000)),
  }
}

const openedAt = ({ created_at, id }: Account, model: Model): Timestamp => {
  const cycles = [...(model.know(kept).get("billing_cycle")?.values() ?? [])]
  const cycle = cycles.find((one) => one !== null && "account_id" in one && one.account_id === id)
  return (cycle as BillingCycle | undefined)?.opened_at ?? created_at
}

/** Checks a bill's charges against the price list, and its volume against the ledger. */
const charges = (account: Account, month: string, bill: Bill, model: Model): Finding => {
  const [start, end] = boundsOf(month)
  const terms = TERMS[account.plan]
  const operations = chargesOf(bill, account.plan)
  const volume = volumeOf(bill, terms)
  const price = priceIn(terms, month, openedAt(account, model))
  const parts = [price, volume.overage.value, ...operations.map(({ cost }) => cost.value)]
  const expected = {
    month,
    period_start: toIso(start),
    period_end: toIso(end),
    plan: account.plan,
    price: usd(price),
    operations,
    volume,
    total: usd(parts.reduce((sum, part) => sum + part, 0)),
  }
  const differs = difference({ ...bill, ...expected }, bill)
  if (differs !== undefined) return `has a bill of ${month} with ${differs}`
  const same = bill.volume.by_currency.find(
    ({ amount, total }) => amount.currency === "USD" && amount.value !== total.value,
  )
  if (same !== undefined) return `has a bill of ${month} that exchanges dollars for dollars`
  const { by_currency, unconverted = [] } = bill.volume
  const paid = [...by_currency.map(({ amount }) => amount), ...unconverted]
  const volumes = paid.map(({ currency, value }) => `${value} ${currency}`).toSorted()
  const expectedVolumes = volumesIn(account.id, month, model)
  const other = expectedVolumes && difference(expectedVolumes, volumes)
  return other === undefined ? undefined : `has a bill of ${month} with a volume of ${other}`
}

const listed = ({ account, listed: shown }: Observations["statements_listed"], model: Model) => {
  const stored = [...(model.know(kept).get("statement")?.entries() ?? [])]
    .filter(([, one]) => one !== null && "account_id" in one && one.account_id === account.id)
    .map(([id]) => id)
    .toSorted((a, b) => (a < b ? 1 : -1))
  const differs = difference(
    stored,
    shown.map(({ id }) => id),
  )
  if (differs !== undefined) return `lists its statements with ${differs}`
  const months = new Set(shown.map(({ month }) => month))
  if (months.size !== shown.length) return "has two statements of a month"
  const wrong = shown.map((bill) => charges(account, bill.month, bill, model))
  return wrong.find((finding) => finding !== undefined)
}

/** The rules about the bills of plans. */
export const billRules: Rulebook = {
  131: {
    bill_shown: ({ account, bill, month }, model) => charges(account, month, bill, model),
    statements_listed: listed,
  },
}
