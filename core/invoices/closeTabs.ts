import { Effect } from "effect"
import { Store } from "../ports/Store.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { Tab } from "./Tab.ts"
import { endedTab } from "./tabs.ts"

/** The most tabs that are read at once. */
const PAGE = 200

const pageOf = Effect.fnUntraced(function* (
  service_id: string,
  status: Tab["status"],
  after: string | undefined,
) {
  const by = { service_id, status }
  return yield* (yield* Store).list("tab", { by, order: "oldest", after, limit: PAGE })
})

/**
 * Closes every open tab of a service. Each is billed as any closed tab, a day later. Fails with
 * `Conflict` where a tab changes meanwhile; the others are then closed by the next call.
 */
export const closeTabs = Effect.fnUntraced(function* (serviceId: string, now: Timestamp) {
  const store = yield* Store
  let page = yield* pageOf(serviceId, "open", undefined)
  while (page.length > 0) {
    for (const { id } of page) {
      const record = yield* endedTab(id, now)
      if (record !== undefined) {
        yield* store.commit({ writes: [{ op: "replace", kind: "tab", record }] })
      }
    }
    page = yield* pageOf(serviceId, "open", page.at(-1)?.id)
  }
})

/** Tells whether a closed tab of the service has a period that is not billed yet. */
export const hasUnbilled = Effect.fnUntraced(function* (serviceId: string) {
  let page = yield* pageOf(serviceId, "closed", undefined)
  while (page.length > 0) {
    if (page.some(({ due_at }) => due_at !== null)) return true
    page = yield* pageOf(serviceId, "closed", page.at(-1)?.id)
  }
  return false
})
