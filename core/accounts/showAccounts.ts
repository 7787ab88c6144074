import { Effect } from "effect"
import { Store } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"
import { isId } from "../shared/Id.ts"
import { badCursor } from "../shared/Page.ts"
import { ACCOUNT_KINDS, accountView, PLANS } from "./Account.ts"
import type { ListAccountsQuery } from "./AccountQuery.ts"

const find = Effect.fnUntraced(function* (id: string) {
  return isId("acct", id) ? yield* (yield* Store).find("account", id) : undefined
})

/** An account, for the operator. */
export const getAccount = Effect.fn("getAccount")(function* (id: string) {
  return accountView((yield* find(id)) ?? (yield* notFound("account", id)))
})

/**
 * The accounts of the installation, newest first, for the operator; `agent_id` finds the one that
 * acts as the agent. Fails with `INVALID_QUERY` where `starting_after` names none.
 */
export const listAccounts = Effect.fn("listAccounts")(function* (query: ListAccountsQuery) {
  const store = yield* Store
  const { agent_id, kind, limit, plan, starting_after } = query
  if (starting_after !== undefined && (yield* find(starting_after)) === undefined) {
    return yield* badCursor("account")
  }
  const kinds = kind === undefined ? ACCOUNT_KINDS : [kind]
  const plans = plan === undefined ? PLANS : [plan]
  if (agent_id !== undefined) {
    const found = yield* store.findAccountByAgent(agent_id)
    const isAsked =
      found !== undefined &&
      (kind ?? found.kind) === found.kind &&
      (plan ?? found.plan) === found.plan &&
      (starting_after === undefined || found.id < starting_after)
    return { data: isAsked ? [accountView(found)] : [], has_more: false }
  }
  const found = yield* store.listAccounts({
    kinds,
    plans,
    limit: limit + 1,
    ...(starting_after !== undefined && { starting_after }),
  })
  return { data: found.slice(0, limit).map(accountView), has_more: found.length > limit }
})
