import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import type { Tab } from "../invoices/Tab.ts"
import { tabId } from "../invoices/tabs.ts"
import { Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"

/** Whose tab is meant: by a name, and by its id where agents of several accounts have the name. */
export interface TabName {
  readonly agent_id: string
  readonly tab?: string | undefined
}

/** So many tabs of one name are told apart by a refusal. */
const MOST_TOLD = 10

const several = <Code extends "INVALID_REQUEST" | "INVALID_QUERY">(
  code: Code,
  agentId: string,
  tabs: ReadonlyArray<Tab>,
) => {
  const ids = tabs.map(({ id }) => id).join(", ")
  const reason = `is the name of agents of several accounts here: name one as \`tab\`, of ${ids}`
  return new Failure({
    code,
    message: `The name ${JSON.stringify(agentId)} ${reason}.`,
    field: "agent_id",
    details: [{ field: "agent_id", reason }],
  })
}

/**
 * The tab that the seller of a service means. A name is first of all that of the account which acts
 * under it, since no two accounts act under one; else it is the only agent's of that name that has
 * such a tab here. Names of agents are scoped to their accounts, so no account can take a name away
 * from another's: where several have it, the seller says which tab it means.
 *
 * Fails with `code` where the name is that of several.
 */
export const tabOfSeller = Effect.fnUntraced(function* <
  Code extends "INVALID_REQUEST" | "INVALID_QUERY",
>(
  { account: { id: payee_account_id } }: Caller,
  service_id: string,
  { agent_id, tab: named }: TabName,
  status: Tab["status"],
  code: Code,
) {
  const store = yield* Store
  const isMeant = (tab: Tab | undefined): tab is Tab =>
    tab?.payee_account_id === payee_account_id &&
    tab.service_id === service_id &&
    tab.agent_id === agent_id &&
    tab.status === status
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
  const by = { service_id, agent_id, status }
  const found = (yield* store.list("tab", { by, limit: MOST_TOLD })).filter(isMeant)
  return found.length > 1 ? yield* several(code, agent_id, found) : found[0]
})
