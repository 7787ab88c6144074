import { Effect } from "effect"
import { Store } from "../ports/Store.ts"
import { isId } from "../shared/Id.ts"
import { badCursor, type PageQuery } from "../shared/Page.ts"
import type { Caller } from "./Account.ts"
import { apiKeyView } from "./ApiKey.ts"

/** The keys of the caller's account, newest first, without their secrets. */
export const listKeys = Effect.fn("listKeys")(function* (caller: Caller, page: PageQuery) {
  const store = yield* Store
  const after = page.starting_after
  if (after !== undefined) {
    const key = isId("key", after) ? yield* store.find("api_key", after) : undefined
    if (key?.account_id !== caller.account.id) return yield* badCursor("API key")
  }
  const keys = yield* store.listApiKeys({
    account_id: caller.account.id,
    limit: page.limit + 1,
    ...(after === undefined ? {} : { starting_after: after }),
  })
  return { data: keys.slice(0, page.limit).map(apiKeyView), has_more: keys.length > page.limit }
})
