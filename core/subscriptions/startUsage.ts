import { Clock, Effect, Schema } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { hold } from "../accounts/Holding.ts"
import { withinPlan } from "../accounts/withinPlan.ts"
import type { Commit } from "../commits/Commit.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { plainInstall } from "../installs/plainInstall.ts"
import { findPayable } from "../registry/findPayable.ts"
import { Store } from "../ports/Store.ts"
import { Failure, notFound } from "../shared/Failure.ts"
import { isUuid } from "../shared/Id.ts"
import * as Text from "../shared/Text.ts"
import { requireNoLimits } from "../keys/keySpending.ts"
import { ownPayer } from "./access.ts"
import { tabOfSeller } from "./findTab.ts"
import { TabId } from "./reportUsage.ts"
import type { StartUsageInput } from "./StartUsageInput.ts"
import { checkPayable } from "./checkPayable.ts"
import { refuseUnpaid } from "./refuseUnpaid.ts"
import { checkTabPrice } from "../invoices/ExpectedPrice.ts"
import { type Tab } from "../invoices/Tab.ts"
import { endedTab, openedTab, tabId } from "../invoices/tabs.ts"
import { tabView } from "../invoices/UsageView.ts"

/** The tab that is asked for; by default that of the key's agent. */
export const TabQuery = Schema.Struct({
  agent_id: Schema.optionalKey(Text.line(128)).annotateKey({
    description: "The agent's id, chosen by its account.",
  }),
  tab: Schema.optionalKey(TabId).annotateKey({
    description: "The id of the tab. Needed only if the agent has several.",
  }),
})
export type TabQuery = typeof TabQuery.Type

const notByUse = () =>
  new Failure({
    code: "INVALID_REQUEST",
    message: "The service cannot be billed by use: it has no cumulative price.",
    details: [{ field: "pricing.cumulative", reason: "is not offered by the service" }],
  })

const show = Effect.fnUntraced(function* (tab: Tab) {
  const sum = yield* (yield* Store).sumUsage(tab.id, tab.period)
  return tabView(tab, sum)
})

const start = Effect.fnUntraced(function* (
  caller: Caller,
  serviceId: string,
  input: StartUsageInput,
) {
  const store = yield* Store
  yield* requireNoLimits(caller)
  const { service } = yield* findPayable(caller, serviceId)
  if (service.pricing.cumulative === undefined) return yield* notByUse()
  const { id: account_id } = caller.account
  const own = yield* Effect.fromResult(ownPayer(caller, input.payer))
  const payer = { account_id, ...own }
  const now = yield* Clock.currentTimeMillis
  const { opened, tab } = yield* openedTab(service, payer, now)
  yield* Effect.fromResult(checkTabPrice(tab.price, input))
  if (opened) {
    yield* refuseUnpaid(tab)
    yield* checkPayable(service, tab)
  }
  const shown = yield* show(tab)
  const { agent_id } = payer
  const installed =
    caller.account.kind === "buyer"
      ? yield* plainInstall({ account_id, agent_id, service_id: service.id }, now)
      : []
  if (!opened && installed.length === 0) return shown
  const op = tab.base === 0 ? "insert" : "replace"
  const outcome: Commit = {
    writes: [...(opened ? [{ op, kind: "tab", record: tab } as const] : []), ...installed],
    guards: [{ kind: "service", id: service.id, version: service.version }],
    reservations: installed.map(() => hold(caller.account, "installs")),
    ...(yield* replyWith(shown)),
  }
  yield* store.commit(outcome).pipe(withinPlan(caller.account, "installs"))
  return shown
})

/**
 * Starts or resumes cumulative billing of an agent of the caller's account (MCP tool mapping). Its
 * use of the service counts from now on, at the current price, until the tab is closed. An open tab
 * keeps its price. If the request says which price the caller agrees to, the tab must have it. If a
 * buyer's agent has not installed the service, the same commit installs it without automatic
 * payment: its person is then asked to pay.
 *
 * Fails with `NOT_FOUND`, `SERVICE_NOT_ACTIVE`, `PLAN_LIMIT_EXCEEDED`, `INVALID_REQUEST` for a
 * service without a cumulative price, `INVALID_AMOUNT` for another price, `RATE_LIMIT_EXCEEDED` for
 * a tab closed too often, `INVOICE_UNPAID` for one that owes a bill which was given up, and as
 * `checkPayable` does for one whose bills could not be paid.
 */
export const startUsage = Effect.fn("startUsage")(
  (caller: Caller, serviceId: string, input: StartUsageInput) =>
    retryConflict(start(caller, serviceId, input)),
)

/** Finds the tab of the caller's own agent, or of an agent that uses the caller's service. */
const findVisibleTab = Effect.fnUntraced(function* (
  caller: Caller,
  serviceId: string,
  { agent_id = caller.account.agent_id, tab }: TabQuery,
) {
  if (!isUuid(serviceId)) return yield* notFound("service", serviceId)
  const holder = { service_id: serviceId, account_id: caller.account.id, agent_id }
  const own = yield* (yield* Store).find("tab", yield* tabId(holder))
  if (own !== undefined && (tab === undefined || tab === own.id)) return own
  const ofSeller = (status: Tab["status"]) =>
    tabOfSeller(caller, serviceId, { agent_id, tab }, { statuses: [status] }, "INVALID_QUERY")
  const found = (yield* ofSeller("open")) ?? (yield* ofSeller("closed"))
  return found ?? (yield* notFound("tab of the agent", agent_id))
})

/**
 * Shows an agent's tab at a service, with the use since its last invoice, to the agent's account
 * and to the service's owner.
 */
export const getTab = Effect.fn("getTab")(function* (
  caller: Caller,
  serviceId: string,
  query: TabQuery,
) {
  return yield* show(yield* findVisibleTab(caller, serviceId, query))
})

const stop = Effect.fnUntraced(function* (caller: Caller, serviceId: string, query: TabQuery) {
  const tab = yield* findVisibleTab(caller, serviceId, query)
  if (tab.status === "closed") return yield* show(tab)
  const record = yield* endedTab(tab.id, yield* Clock.currentTimeMillis)
  const store = yield* Store
  if (record === undefined) return yield* show((yield* store.find("tab", tab.id)) ?? tab)
  yield* store.commit({ writes: [{ op: "replace", kind: "tab", record }] })
  return yield* show(record)
})

/**
 * Ends cumulative billing, for the agent's account or the service's owner: no later use counts. The
 * use so far can be reported for a day, and is billed then.
 */
export const stopUsage = Effect.fn("stopUsage")(
  (caller: Caller, serviceId: string, query: TabQuery) =>
    retryConflict(stop(caller, serviceId, query)),
)
