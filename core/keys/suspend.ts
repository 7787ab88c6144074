import { Clock, Effect } from "effect"
import { byOperator, logged } from "../accountLog/logged.ts"
import { accountView } from "../accounts/Account.ts"
import { type ApiKey, apiKeyView } from "../accounts/ApiKey.ts"
import { audited } from "../audit/audited.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { Store, type Write } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"
import { isId } from "../shared/Id.ts"
import type { PageQuery } from "../shared/Page.ts"
import { readOwn, readPage } from "../shared/ownRecords.ts"
import { workingIssuedBy } from "./endKeys.ts"
import type { SuspendKeyInput } from "./KeyInput.ts"

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

/**
 * Suspends one key of an account, or lifts its suspension. With `cascade` the working keys that it
 * has issued follow it in the same commit: whoever has a leaked key may have issued others with it.
 */
export const suspendKey = Effect.fn("suspendKey")(function* (
  accountId: string,
  id: string,
  on: boolean,
  { cascade = false }: SuspendKeyInput = {},
) {
  const store = yield* Store
  return yield* retryConflict(
    Effect.gen(function* () {
      const key = yield* readOwn("api_key", accountId, id, "API key")
      const now = yield* Clock.currentTimeMillis
      const issued = cascade ? yield* workingIssuedBy(key, now) : []
      const moved = [key, ...issued]
        .filter(({ suspended_at }) => (suspended_at !== null) !== on)
        .map((each): ApiKey => ({ ...each, suspended_at: on ? now : null }))
      const view = apiKeyView(moved.find((each) => each.id === id) ?? key)
      const action = on ? "api_key.suspended" : "api_key.resumed"
      const entries = yield* Effect.forEach(moved, (each) =>
        logged(byOperator(accountId), action, each.id),
      )
      yield* store.commit({
        writes: [
          ...moved.map((record): Write => ({ op: "replace", kind: "api_key", record })),
          ...entries,
        ],
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
