import { Effect } from "effect"
import type { Caller } from "../../accounts/Account.ts"
import { Store } from "../../ports/Store.ts"
import { badCursor, type PageQuery } from "../../shared/Page.ts"
import { endpointView } from "./Endpoint.ts"
import { newestKey, ownEndpoint } from "./ownEndpoint.ts"

/** One endpoint of the caller's account. */
export const getEndpoint = Effect.fn("getEndpoint")(function* (caller: Caller, id: string) {
  const endpoint = yield* ownEndpoint(caller, id)
  return endpointView(endpoint, yield* newestKey(caller.account.id))
})

/** The endpoints of the caller's account, newest first, without their secrets. */
export const listEndpoints = Effect.fn("listEndpoints")(function* (
  caller: Caller,
  { limit, starting_after: after }: PageQuery,
) {
  const store = yield* Store
  const account_id = caller.account.id
  if (after !== undefined && (yield* store.find("endpoint", after))?.account_id !== account_id) {
    return yield* badCursor("webhook endpoint")
  }
  const found = yield* store.listEndpoints({
    account_id,
    limit: limit + 1,
    ...(after === undefined ? {} : { starting_after: after }),
  })
  const key = yield* newestKey(account_id)
  return {
    data: found.slice(0, limit).map((endpoint) => endpointView(endpoint, key)),
    has_more: found.length > limit,
  }
})
