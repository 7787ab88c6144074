import { Clock, Effect } from "effect"
import { byKey } from "../accountLog/logged.ts"
import type { Caller } from "../accounts/Account.ts"
import { apiKeyView } from "../accounts/ApiKey.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { Store } from "../ports/Store.ts"
import { readOwn } from "../shared/ownRecords.ts"
import { ending, workingIssuedBy } from "./endKeys.ts"
import type { RevokeQuery } from "./KeyInput.ts"

/**
 * Revokes a key immediately, and with `cascade` all that it has issued, in one commit. Revoking it
 * again changes nothing.
 */
export const revokeKey = Effect.fn("revokeKey")(function* (
  caller: Caller,
  id: string,
  { cascade }: RevokeQuery = {},
) {
  const store = yield* Store
  return yield* retryConflict(
    Effect.gen(function* () {
      const key = yield* readOwn("api_key", caller.account.id, id, "API key")
      const now = yield* Clock.currentTimeMillis
      const issued = cascade === "true" ? yield* workingIssuedBy(key, now) : []
      const ends = [...(key.revoked_at === null ? [key] : []), ...issued]
      const view = apiKeyView({ ...key, revoked_at: key.revoked_at ?? now })
      if (ends.length === 0) return view
      yield* store.commit({
        ...(yield* ending(ends, byKey(caller), now)),
        ...(yield* replyWith(view)),
      })
      return view
    }),
  )
})
