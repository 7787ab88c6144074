import { Clock, Effect } from "effect"
import { type Commit, empty, merge } from "../commits/Commit.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { uuidOfHash } from "../shared/Id.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { insertInvoice } from "./writeInvoice.ts"
import { draft } from "./Invoice.ts"
import {
  billed,
  billOf,
  CLOSED,
  closed,
  MOST_USE,
  openTab,
  periodCounter,
  type Tab,
  type TabHolder,
  tabName,
  turned,
} from "./Tab.ts"
import { canonical } from "./Usage.ts"

/** Returns the id of an agent's tab at a service. */
export const tabId = (holder: TabHolder) =>
  Effect.map(Vault, ({ sha256 }) => `tab_${uuidOfHash(sha256(tabName(holder)))}`)

/** Returns the commit that closes the tab's previous period to further use. */
const shut = (before: Tab, after: Tab): Commit => ({
  writes: [{ op: "replace", kind: "tab", record: after }],
  reservations: [
    { counter: periodCounter(before, before.period), add: CLOSED, limit: CLOSED + MOST_USE },
  ],
})

/**
 * Bills the tab's closing period, which accepts no more use, so that the sum is final. Returns the
 * tab after that.
 */
const bill = Effect.fnUntraced(function* (tab: Tab, now: Timestamp) {
  const { closing } = tab
  if (closing === null) return tab
  const store = yield* Store
  const ids = yield* Ids
  const totals = billOf(tab, closing, yield* store.sumUsage(tab.id, closing.number))
  const { account_id, agent_id, human_id, id, payee_account_id, service_id } = tab
  const payer = { agent_id, human_id }
  const terms = { account_id, payee_account_id, payer, service_id, subscription: null, tab: id }
  const invoice =
    totals === undefined
      ? empty
      : insertInvoice(draft(`inv_${ids.uuid()}`, { ...terms, ...totals }, now), ids, now)
  const record = billed(tab)
  yield* store.commit(merge({ writes: [{ op: "replace", kind: "tab", record }] }, invoice))
  return { ...record, version: record.version + 1 }
})

/**
 * Moves a tab to the current period: closes and bills a period that is over. Closes the tab if its
 * service was deleted. Fails with `Conflict` where another process does it meanwhile.
 */
export const lookAfterTab = Effect.fn("lookAfterTab")(function* (claimed: Tab) {
  const now = yield* Clock.currentTimeMillis
  const tab = yield* bill(claimed, now)
  if (tab.status === "closed" || now < tab.period_end) return tab
  const service = yield* (yield* Store).find("service", tab.service_id)
  const isOver = service === undefined || service.status === "deleted"
  const next = isOver ? closed(tab, now) : turned(tab, now)
  yield* (yield* Store).commit(shut(tab, next))
  return yield* bill({ ...next, version: next.version + 1 }, now)
})

/** Returns the commit part that closes a tab. A worker bills its use so far immediately. */
export const closedTab = Effect.fnUntraced(function* (id: string, now: Timestamp) {
  const found = yield* (yield* Store).find("tab", id)
  if (found?.status !== "open") return empty
  const tab = found.closing === null ? found : yield* bill(found, now)
  return shut(tab, closed(tab, now))
})

/**
 * Returns an agent's open tab at a service that is sold by use, or a new one at the current price
 * that is not stored yet.
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
  const before = found === undefined ? undefined : yield* bill(found, now)
  const price = { unit, rate: canonical(rate), currency, billing_cycle }
  const opening = { ...holder, id, payee_account_id, human_id, price }
  return { tab: openTab(opening, before, now), opened: true }
})
