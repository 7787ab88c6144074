import { Clock, Effect } from "effect"
import { type Commit, empty, merge } from "../commits/Commit.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { worthOf } from "../pricing/quoteSettlement.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { Failure } from "../shared/Failure.ts"
import { uuidOfHash } from "../shared/Id.ts"
import { SECOND, type Timestamp } from "../shared/Timestamp.ts"
import { insertInvoice } from "./writeInvoice.ts"
import { draft, waived } from "./Invoice.ts"
import { invoiceOf } from "./PeriodNumbers.ts"
import { billOf, carriedAfter, isBelowUnit, type TabBill } from "./TabBill.ts"
import {
  billable,
  type Billable,
  billed,
  CLOSED,
  closed,
  MOST_STOPPED,
  MOST_USE,
  openTab,
  overdueStop,
  periodCounter,
  type Tab,
  type TabHolder,
  tabName,
  turned,
  withoutReports,
} from "./Tab.ts"
import { canonical } from "./Usage.ts"

/** Returns the id of an agent's tab at a service. */
export const tabId = (holder: TabHolder) =>
  Effect.map(Vault, ({ sha256 }) => `tab_${uuidOfHash(sha256(tabName(holder)))}`)

/** Returns the commit that closes one of the tab's periods to further use. */
const shut = ({ id }: Tab, number: number, after: Tab): Commit => ({
  writes: [{ op: "replace", kind: "tab", record: after }],
  reservations: [{ counter: periodCounter({ id }, number), add: CLOSED, limit: CLOSED + MOST_USE }],
})

const stored = (tab: Tab): Tab => ({ ...tab, version: tab.version + 1 })

/**
 * A bill in another currency than the seller's that is worth no more than this is carried over, in
 * minor units of the seller's. After the spread, one unit would settle to nothing, and no payment
 * is possible; two leave room for rates that change until it is paid.
 */
const TOO_SMALL = 2

/** Returns why a bill is left to the next one; undefined where it can be paid. */
const leftBecause = Effect.fnUntraced(function* (bill: TabBill, service_id: string) {
  if (isBelowUnit(bill)) return "left to the next bill: it rounds to nothing"
  const { amount } = bill.terms
  const service = yield* (yield* Store).find("service", service_id)
  const { settlement_currency: to } = service ?? { settlement_currency: amount.currency }
  if (amount.value === 0 || amount.currency === to) return undefined
  const worth = yield* worthOf(amount, to, "up").pipe(
    Effect.catchTag("Failure", () => Effect.succeed(Infinity)),
  )
  return worth > TOO_SMALL ? undefined : `left to the next bill: too small to settle in ${to}`
})

/** Returns the commit of a bill, which nobody has to pay if there is a reason to leave it. */
const invoiced = Effect.fnUntraced(function* (
  tab: Tab,
  human_id: string | null,
  { terms }: TabBill,
  reason: string | undefined,
  now: Timestamp,
) {
  const ids = yield* Ids
  const { account_id, agent_id, payee_account_id, service_id } = tab
  const payer = { agent_id, human_id }
  const parties = { account_id, payee_account_id, payer, service_id, subscription: null }
  const all = { ...parties, tab: tab.id, ...terms }
  const billedPeriod = { of: tab.id, number: terms.period, due: terms.period_end }
  const id = invoiceOf(billedPeriod, (yield* Vault).fingerprint, ids.uuid())
  const record = reason === undefined ? draft(id, all, now) : waived(id, all, reason, now)
  return insertInvoice(record, ids, now)
})

/** Bills a period that accepts no more use, so that the sum is final. Returns the tab after it. */
const bill = Effect.fnUntraced(function* (tab: Tab, period: Billable, now: Timestamp) {
  const store = yield* Store
  const { human_id, number } = period
  const made = billOf(period, yield* store.sumUsage(tab.id, number), tab.carried)
  const reason = made && (yield* leftBecause(made, tab.service_id))
  const carried = made ? carriedAfter(tab.carried, made, reason !== undefined) : tab.carried
  const record = billed(tab, number, carried, now)
  const invoice = made ? yield* invoiced(tab, human_id, made, reason, now) : empty
  yield* store.commit(merge({ writes: [{ op: "replace", kind: "tab", record }] }, invoice))
  return stored(record)
})

/**
 * Bills every period of the tab that is over, and every stopped one whose time for reports is over.
 * Returns the tab after that.
 */
const billEnded = Effect.fnUntraced(function* (claimed: Tab, now: Timestamp) {
  let tab = claimed
  for (;;) {
    const period = billable(tab)
    if (period !== undefined) {
      tab = yield* bill(tab, period, now)
      continue
    }
    const over = overdueStop(tab, now)
    if (over === undefined) return tab
    const after = withoutReports(tab, over.number, now)
    yield* (yield* Store).commit(shut(tab, over.number, after))
    tab = stored(after)
  }
})

/**
 * Moves a tab to the current period: closes and bills periods that are over. Closes the tab if its
 * service was deleted. Fails with `Conflict` where another process does it meanwhile.
 */
export const lookAfterTab = Effect.fn("lookAfterTab")(function* (claimed: Tab) {
  const now = yield* Clock.currentTimeMillis
  const tab = yield* billEnded(claimed, now)
  if (tab.status === "closed" || now < tab.period_end) return tab
  const store = yield* Store
  const service = yield* store.find("service", tab.service_id)
  // Use between the period's end and a later deletion belongs to the next period.
  if (service === undefined || (service.deleted_at ?? Infinity) <= tab.period_end) {
    const record = closed(tab, now)
    yield* store.commit({ writes: [{ op: "replace", kind: "tab", record }] })
    return stored(record)
  }
  const next = turned(tab, now)
  yield* store.commit(shut(tab, tab.period, next))
  return yield* billEnded(stored(next), now)
})

/** Returns an open tab, closed now and not stored yet; undefined if there is none. */
export const endedTab = Effect.fnUntraced(function* (id: string, now: Timestamp) {
  const found = yield* (yield* Store).find("tab", id)
  const tab = found?.status === "open" ? yield* lookAfterTab(found) : undefined
  return tab?.status === "open" ? closed(tab, now) : undefined
})

/** Returns the commit part that closes a tab. A worker bills it after its time for reports. */
export const closedTab = Effect.fnUntraced(function* (id: string, now: Timestamp) {
  const record = yield* endedTab(id, now)
  const commit: Commit =
    record === undefined ? empty : { writes: [{ op: "replace", kind: "tab", record }] }
  return commit
})

/** Refuses to open a tab again that was closed too often, until its first period is billed. */
const checkReopening = ({ stopped: [first, ...others] }: Tab, now: Timestamp) => {
  if (first === undefined || others.length + 1 < MOST_STOPPED) return Effect.void
  const wait = Math.max(1, Math.ceil(((first.reported_until ?? now) - now) / SECOND))
  return new Failure({
    code: "RATE_LIMIT_EXCEEDED",
    message: `The tab was closed ${MOST_STOPPED} times in a day. Try again in ${wait} seconds.`,
    retry_after: wait,
  })
}

/**
 * Returns an agent's open tab at a service that is sold by use, or a new one at the current price
 * that is not stored yet. Fails with `RATE_LIMIT_EXCEEDED` where it was closed too often.
 */
export const openedTab = Effect.fnUntraced(function* (
  { account_id: payee_account_id, id: service_id, pricing, settlement_currency }: ServiceManifest,
  { account_id, agent_id, human_id }: Pick<Tab, "account_id" | "agent_id" | "human_id">,
  now: Timestamp,
) {
  const { cumulative } = pricing
  if (cumulative === undefined) return yield* Effect.die("The service has no cumulative price.")
  const { billing_cycle, currency = settlement_currency, rate, unit } = cumulative
  const holder = { service_id, account_id, agent_id }
  const id = yield* tabId(holder)
  const found = yield* (yield* Store).find("tab", id)
  if (found?.status === "open") return { tab: found, opened: false }
  const before = found && (yield* billEnded(found, now))
  if (before !== undefined) yield* checkReopening(before, now)
  const price = { unit, rate: canonical(rate), currency, billing_cycle }
  const opening = { ...holder, id, payee_account_id, human_id, price }
  return { tab: openTab(opening, before, now), opened: true }
})
