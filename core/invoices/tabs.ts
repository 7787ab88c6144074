import { Clock, Effect } from "effect"
import { type Commit, empty, merge } from "../commits/Commit.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { Failure } from "../shared/Failure.ts"
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
  tabName,
  turned,
} from "./Tab.ts"
import { canonical } from "./Usage.ts"

/** The id of an agent's tab at a service. */
export const tabId = Effect.fnUntraced(function* (serviceId: string, agentId: string) {
  return `tab_${uuidOfHash((yield* Vault).sha256(tabName(serviceId, agentId)))}`
})

/** Lets nothing more into the period that a tab leaves. */
const shut = (before: Tab, after: Tab): Commit => ({
  writes: [{ op: "replace", kind: "tab", record: after }],
  reservations: [
    { counter: periodCounter(before, before.period), add: CLOSED, limit: CLOSED + MOST_USE },
  ],
})

/**
 * Bills the period that a tab has left: nothing has got into it since, so what is read now is all
 * of it. Returns the tab as it is then.
 */
const bill = Effect.fnUntraced(function* (tab: Tab, now: Timestamp) {
  const { closing } = tab
  if (closing === null) return tab
  const store = yield* Store
  const ids = yield* Ids
  const totals = billOf(tab, closing, yield* store.sumUsage(tab.id, closing.number))
  const { account_id, id, payee_account_id, payer, service_id } = tab
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
 * Brings a tab to the period of now: a period that is over takes no more use, and is billed. The
 * tab of a service that is gone is closed with it. Fails with `Conflict` where somebody else does
 * it meanwhile.
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

/** The part of a commit that ends a tab: what was used so far is billed by a worker at once. */
export const closedTab = Effect.fnUntraced(function* (id: string, now: Timestamp) {
  const found = yield* (yield* Store).find("tab", id)
  if (found?.status !== "open") return empty
  const tab = found.closing === null ? found : yield* bill(found, now)
  return shut(tab, closed(tab, now))
})

const taken = (agentId: string) =>
  new Failure({
    code: "AGENT_ID_TAKEN",
    message: `Another account's agent is called ${JSON.stringify(agentId)} at this service.`,
    field: "agent_id",
  })

/**
 * An agent's tab at a service that is sold by use: the open one, or one that is opened at the price
 * of now and has yet to be stored.
 *
 * Fails with `AGENT_ID_TAKEN` where another account has an agent of that name on a tab.
 */
export const openedTab = Effect.fnUntraced(function* (
  { account_id: payee_account_id, id: service_id, pricing, settlement_currency }: ServiceManifest,
  { account_id, agent_id, human_id }: { readonly account_id: string } & Tab["payer"],
  now: Timestamp,
) {
  const { cumulative } = pricing
  if (cumulative === undefined) return yield* Effect.die("The service is not sold by use.")
  const { billing_cycle, currency = settlement_currency, rate, unit } = cumulative
  const id = yield* tabId(service_id, agent_id)
  const found = yield* (yield* Store).find("tab", id)
  if (found !== undefined && found.account_id !== account_id) return yield* taken(agent_id)
  if (found?.status === "open") return { tab: found, opened: false }
  const before = found === undefined ? undefined : yield* bill(found, now)
  const price = { unit, rate: canonical(rate), currency, billing_cycle }
  const payer = { agent_id, human_id }
  const opening = { id, account_id, payee_account_id, service_id, payer, price }
  return { tab: openTab(opening, before, now), opened: true }
})
