import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { isValid } from "../accounts/ApiKey.ts"
import { Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"
import type { Timestamp } from "../shared/Timestamp.ts"

const ended = () =>
  new Failure({ code: "INVALID_API_KEY", message: "This API key has been revoked or has expired." })

/**
 * Reads the caller's key, for the commit to rewrite: a key that is revoked meanwhile then has no
 * further effect. Fails with `INVALID_API_KEY` where it no longer works.
 */
export const callersKey = Effect.fnUntraced(function* (caller: Caller, now: Timestamp) {
  const key = yield* (yield* Store).find("api_key", caller.api_key_id)
  return key === undefined || !isValid(key, now) ? yield* ended() : key
})
