import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { isValid } from "../accounts/ApiKey.ts"
import { suspended } from "../accounts/authenticate.ts"
import { Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"
import type { Timestamp } from "../shared/Timestamp.ts"

const ended = () =>
  new Failure({ code: "INVALID_API_KEY", message: "This API key has been revoked or has expired." })

/**
 * Reads the caller's key, for the commit to rewrite: a key that is revoked or suspended meanwhile
 * then has no further effect. Fails with `INVALID_API_KEY` where it has ended, and with
 * `ACCOUNT_SUSPENDED`.
 */
export const callersKey = Effect.fnUntraced(function* (caller: Caller, now: Timestamp) {
  const key = yield* (yield* Store).find("api_key", caller.api_key_id)
  if (key === undefined || !isValid(key, now)) return yield* ended()
  return key.suspended_at === null ? key : yield* suspended("API key")
})
