import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { Store } from "../../core/ports/Store.ts"
import { Failure, notFound } from "../../core/shared/Failure.ts"

/** An id that no key has: the host vouches for the account. */
const NO_KEY = "key_00000000-0000-7000-8000-000000000000"

/**
 * Returns the account as a caller that the host has identified itself. Fails with `NOT_FOUND` and
 * `ACCOUNT_SUSPENDED`.
 */
export const hostCaller = Effect.fnUntraced(function* (accountId: unknown) {
  const id = typeof accountId === "string" ? accountId : ""
  const account = yield* (yield* Store).find("account", id)
  if (account === undefined) return yield* notFound("account", id)
  if (account.suspended_at !== null) {
    return yield* new Failure({
      code: "ACCOUNT_SUSPENDED",
      message: "This account is suspended. End the suspension with payport.accounts.resume(id).",
    })
  }
  return { account, api_key_id: NO_KEY, restrictions: null, vouched: true } satisfies Caller
})
