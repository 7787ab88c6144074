import { Clock, Effect } from "effect"
import { replyWith, retryConflict } from "../idempotency/answerOnce.ts"
import { Store } from "../ports/Store.ts"
import { readOwn } from "../shared/ownRecords.ts"
import type { Caller } from "./Account.ts"
import { apiKeyView } from "./ApiKey.ts"

/** Ends a key at once; ending it again changes nothing. */
export const revokeKey = Effect.fn("revokeKey")(function* (caller: Caller, id: string) {
  const store = yield* Store
  return yield* retryConflict(
    Effect.gen(function* () {
      const key = yield* readOwn("api_key", caller.account.id, id, "API key")
      if (key.revoked_at !== null) return apiKeyView(key)
      const revoked = { ...key, revoked_at: yield* Clock.currentTimeMillis }
      const view = apiKeyView(revoked)
      yield* store.commit({
        writes: [{ op: "replace", kind: "api_key", record: revoked }],
        ...(yield* replyWith(view)),
      })
      return view
    }),
  )
})
