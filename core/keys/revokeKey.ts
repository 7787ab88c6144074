import { Clock, Effect } from "effect"
import { byKey } from "../accountLog/logged.ts"
import type { Caller } from "../accounts/Account.ts"
import { apiKeyView } from "../accounts/ApiKey.ts"
import { mayRevoke } from "../accounts/KeyRules.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"
import { readOwn } from "../shared/ownRecords.ts"
import { ending, workingIssuedBy } from "./endKeys.ts"
import type { RevokeQuery } from "./KeyInput.ts"

const forbidden = () =>
  new Failure({
    code: "FORBIDDEN",
    message:
      "This API key is restricted, so it may revoke itself and the keys that it has issued. " +
      "Revoke this one with itself, with a key that has issued it, or with a key without " +
      "restrictions.",
    details: { restriction: "keys" },
  })

/**
 * Revokes a key immediately, and with `cascade` all that it has issued, in one commit. Revoking it
 * again changes nothing.
 *
 * Fails with `NOT_FOUND` for a key that is not the account's, and with `FORBIDDEN` for one that the
 * caller's restricted key has not issued.
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
      // Without restrictions, no list is read.
      const isWide = (caller.restrictions ?? null) === null
      const by = { account_id: caller.account.id }
      const keys = isWide ? [] : yield* store.list("api_key", { by })
      if (!mayRevoke(keys, caller, id)) return yield* forbidden()
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
