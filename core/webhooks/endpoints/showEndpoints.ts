import { Effect } from "effect"
import type { Caller } from "../../accounts/Account.ts"
import type { PageQuery } from "../../shared/Page.ts"
import { readPage } from "../../shared/ownRecords.ts"
import { endpointView } from "./Endpoint.ts"
import { newestKey, ownEndpoint } from "./ownEndpoint.ts"

/** Returns one endpoint of the caller's account. */
export const getEndpoint = Effect.fn("getEndpoint")(function* (caller: Caller, id: string) {
  const endpoint = yield* ownEndpoint(caller, id)
  return endpointView(endpoint, yield* newestKey(caller.account.id))
})

/** Returns a page of the endpoints of the caller's account, newest first, without their secrets. */
export const listEndpoints = Effect.fn("listEndpoints")(function* (
  { account }: Caller,
  query: PageQuery,
) {
  const by = { account_id: account.id }
  const page = yield* readPage("endpoint", by, query, "webhook endpoint")
  const key = yield* newestKey(account.id)
  return { ...page, data: page.data.map((endpoint) => endpointView(endpoint, key)) }
})
