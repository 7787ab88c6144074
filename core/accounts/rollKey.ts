import { Clock, Effect } from "effect"
import { replyWith, retryConflict } from "../idempotency/answerOnce.ts"
import { Store } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"
import { isId } from "../shared/Id.ts"
import { SECOND, toIso } from "../shared/Timestamp.ts"
import type { Caller } from "./Account.ts"
import { issuedKeyView, isValid, type RolledKeyView } from "./ApiKey.ts"
import type { RollInput } from "./KeyInput.ts"
import { makeKey } from "./makeKey.ts"

/**
 * Replaces a key: the answer shows the new one this once, which expires when the old one would
 * have; the old one works on for the grace period, or until it would have expired anyway.
 *
 * Fails with `NOT_FOUND` for a key that is not the account's or no longer works.
 */
export const rollKey = Effect.fn("rollKey")(function* (
  caller: Caller,
  id: string,
  input: RollInput,
) {
  const store = yield* Store
  if (!isId("key", id)) return yield* notFound("API key", id)
  const made = yield* makeKey(caller.account, { expires_at: null })

  return yield* retryConflict(
    Effect.gen(function* () {
      const old = yield* store.find("api_key", id)
      const now = yield* Clock.currentTimeMillis
      if (old === undefined || old.account_id !== caller.account.id || !isValid(old, now)) {
        return yield* notFound("working API key", id)
      }
      const record = { ...made.record, expires_at: old.expires_at }
      const end = now + input.grace_period_seconds * SECOND
      const expiresAt = old.expires_at === null ? end : Math.min(old.expires_at, end)
      const view: typeof RolledKeyView.Type = {
        ...issuedKeyView(record, made.text),
        replaces: { id: old.id, expires_at: toIso(expiresAt) },
      }
      yield* store.commit({
        writes: [
          { op: "insert", kind: "api_key", record },
          { op: "replace", kind: "api_key", record: { ...old, expires_at: expiresAt } },
        ],
        ...(yield* replyWith(view)),
      })
      return view
    }),
  )
})
