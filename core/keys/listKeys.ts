import { Effect } from "effect"
import type { PageQuery } from "../shared/Page.ts"
import { readPage } from "../shared/ownRecords.ts"
import type { Caller } from "../accounts/Account.ts"
import { apiKeyView } from "../accounts/ApiKey.ts"

/** The keys of the caller's account, newest first, without their secrets. */
export const listKeys = Effect.fn("listKeys")(function* ({ account }: Caller, query: PageQuery) {
  const page = yield* readPage("api_key", { account_id: account.id }, query, "API key")
  return { ...page, data: page.data.map(apiKeyView) }
})
