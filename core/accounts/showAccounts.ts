import { Effect } from "effect"
import { Store } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"
import { badCursor } from "../shared/Page.ts"
import { readPage } from "../shared/ownRecords.ts"
import { ACCOUNT_KINDS, accountView, PLANS } from "./Account.ts"
import type { ListAccountsQuery } from "./AccountQuery.ts"

/** Shows an account to the operator. */
export const getAccount = Effect.fn("getAccount")(function* (id: string) {
  const found = yield* (yield* Store).find("account", id)
  return accountView(found ?? (yield* notFound("account", id)))
})

/** Finds the account of the agent, if it matches the rest of the query. */
const ofAgent = Effect.fnUntraced(function* (agent_id: string, query: ListAccountsQuery) {
  const { kind, plan, starting_after } = query
  const store = yield* Store
  if (starting_after !== undefined && !(yield* store.find("account", starting_after))) {
    return yield* badCursor("account")
  }
  const found = yield* store.findBy("account", { agent_id })
  const isAsked =
    found !== undefined &&
    (kind ?? found.kind) === found.kind &&
    (plan ?? found.plan) === found.plan &&
    (starting_after === undefined || found.id < starting_after)
  return { data: isAsked ? [accountView(found)] : [], has_more: false }
})

/**
 * Lists the accounts of the installation for the operator, newest first; `agent_id` finds the
 * account of that agent. Fails with `INVALID_QUERY` where `starting_after` names no account.
 */
export const listAccounts = Effect.fn("listAccounts")(function* (query: ListAccountsQuery) {
  const { agent_id, kind = ACCOUNT_KINDS, plan = PLANS } = query
  if (agent_id !== undefined) return yield* ofAgent(agent_id, query)
  const page = yield* readPage("account", { kind, plan }, query, "account")
  return { ...page, data: page.data.map(accountView) }
})
