import { Clock, Effect } from "effect"
import { byOperator, logged } from "../accountLog/logged.ts"
import { accountView } from "../accounts/Account.ts"
import { apiKeyView } from "../accounts/ApiKey.ts"
import { audited } from "../audit/audited.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { Store } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"
import { isId } from "../shared/Id.ts"
import type { PageQuery } from "../shared/Page.ts"
import { readOwn, readPage } from "../shared/ownRecords.ts"

const accountOf = Effect.fnUntraced(function* (id: string) {
  const found = isId("acct", id) ? yield* (yield* Store).find("account", id) : undefined
  return found ?? (yield* notFound("account", id))
})

/**
 * Suspends all keys of an account, or lifts the suspension. Every process refuses them within a
 * second. Due work of the account continues.
 */
export const suspendAccount = Effect.fn("suspendAccount")(function* (id: string, on: boolean) {
  const store = yield* Store
  return yield* retryConflict(
    Effect.gen(function* () {
      const account = yield* accountOf(id)
      const isOther = (account.suspended_at !== null) !== on
      const suspended_at = on ? (account.suspended_at ?? (yield* Clock.currentTimeMillis)) : null
      const record = { ...account, suspended_at }
      const view = accountView(record)
      const action = on ? "account.suspended" : "account.resumed"
      const entry = yield* logged(byOperator(id), action, id)
      yield* store.commit({
        writes: isOther ? [{ op: "replace", kind: "account", record }, entry] : [],
        ...(yield* replyWith(view)),
        ...(yield* audited(action, id)),
      })
      return view
    }),
  )
})

/** Suspends one key of an account, or lifts its suspension. */
export const suspendKey = Effect.fn("suspendKey")(function* (
  accountId: string,
  id: string,
  on: boolean,
) {
  const store = yield* Store
  return yield* retryConflict(
    Effect.gen(function* () {
      const key = yield* readOwn("api_key", accountId, id, "API key")
      const isOther = (key.suspended_at !== null) !== on
      const suspended_at = on ? (key.suspended_at ?? (yield* Clock.currentTimeMillis)) : null
      const record = { ...key, suspended_at }
      const view = apiKeyView(record)
      const action = on ? "api_key.suspended" : "api_key.resumed"
      const entry = yield* logged(byOperator(accountId), action, id)
      yield* store.commit({
        writes: isOther ? [{ op: "replace", kind: "api_key", record }, entry] : [],
        ...(yield* replyWith(view)),
        ...(yield* audited(action, id, { account_id: accountId })),
      })
      return view
    }),
  )
})

/** Lists the keys of an account for its operator, newest first. */
export const keysOfAccount = Effect.fn("keysOfAccount")(function* (id: string, query: PageQuery) {
  const account = yield* accountOf(id)
  const page = yield* readPage("api_key", { account_id: account.id }, query, "API key")
  return { ...page, data: page.data.map(apiKeyView) }
})
