import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import type { Tab } from "../invoices/Tab.ts"
import { tabId } from "../invoices/tabs.ts"
import { Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"

/** A tab, named by its agent, and by its id where agents of several accounts have that name. */
export interface TabName {
  readonly agent_id: string
  readonly tab?: string | undefined
}

/** The tabs that can be meant. */
interface TabChoice {
  readonly statuses: ReadonlyArray<Tab["status"]>
  readonly accepts?: (tab: Tab) => boolean
}

/** The most tabs that a refusal lists. */
const MOST_TOLD = 10

/** The most tabs of one name and status that are read. More have to be named by their id. */
const MOST_READ = 100

const several = <Code extends "INVALID_REQUEST" | "INVALID_QUERY">(
  code: Code,
  agentId: string,
  tabs: ReadonlyArray<Tab>,
) => {
  const ids = tabs.map(({ id }) => id).join(", ")
  const reason = `belongs to agents of several accounts: send one of their tabs as \`tab\`: ${ids}`
  return new Failure({
    code,
    message: `The agent_id ${JSON.stringify(agentId)} ${reason}.`,
    field: "agent_id",
    details:
      code === "INVALID_QUERY"
        ? { field: "agent_id", constraint: reason }
        : [{ field: "agent_id", reason }],
  })
}

/**
 * Finds the tab that the seller of a service names. A name means first the account that acts under
 * it, since no two accounts act under one name; otherwise the only agent of that name with such a
 * tab here. Agents' names are scoped to their accounts, so no account can take a name from another.
 * Where several agents have the name, the seller must name the tab.
 *
 * Fails with `code` where several agents have the name.
 */
export const tabOfSeller = Effect.fnUntraced(function* <
  Code extends "INVALID_REQUEST" | "INVALID_QUERY",
>(
  { account: { id: payee_account_id } }: Caller,
  service_id: string,
  { agent_id, tab: named }: TabName,
  { accepts = () => true, statuses }: TabChoice,
  code: Code,
) {
  const store = yield* Store
  const isMeant = (tab: Tab | undefined): tab is Tab =>
    tab?.payee_account_id === payee_account_id &&
    tab.service_id === service_id &&
    tab.agent_id === agent_id &&
    statuses.includes(tab.status) &&
    accepts(tab)
  if (named !== undefined) {
    const found = yield* store.find("tab", named)
    return isMeant(found) ? found : undefined
  }
  const holder = yield* store.findBy("account", { agent_id })
  if (holder !== undefined) {
    const id = yield* tabId({ service_id, account_id: holder.id, agent_id })
    const found = yield* store.find("tab", id)
    if (isMeant(found)) return found
  }
  const listed = yield* Effect.forEach(statuses, (status) =>
    store.list("tab", { by: { service_id, agent_id, status }, limit: MOST_READ }),
  )
  const found = listed.flat().filter(isMeant)
  return found.length > 1 ? yield* several(code, agent_id, found.slice(0, MOST_TOLD)) : found[0]
})
