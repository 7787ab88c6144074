import { Clock, Effect } from "effect"
import { byKey, logged } from "../accountLog/logged.ts"
import type { Caller } from "../accounts/Account.ts"
import { issuedKeyView, isValid, type RolledKeyView } from "../accounts/ApiKey.ts"
import { makeKey } from "../accounts/makeKey.ts"
import { storeKey } from "../accounts/storeKey.ts"
import { type CommitPart, merge } from "../commits/Commit.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import { Failure, notFound } from "../shared/Failure.ts"
import { readOwn } from "../shared/ownRecords.ts"
import { SECOND, toIso } from "../shared/Timestamp.ts"
import { eventsFor } from "../webhooks/events/Event.ts"
import { issuerOf } from "./issuerOf.ts"
import { ending, workingIssuedBy } from "./endKeys.ts"
import { keyEvent } from "./KeyEvent.ts"
import type { RollInput } from "./KeyInput.ts"
import {
  CurrentKeyLifetime,
  expiryAfterRoll,
  issuerAfterRoll,
  issuerOnceReplaced,
  mayRoll,
} from "../accounts/KeyRules.ts"

const forbidden = () =>
  new Failure({
    code: "FORBIDDEN",
    message:
      "An API key can roll itself and the keys that it issued. " +
      "Roll this key with itself, or with a key that issued it.",
  })

const ofProgram = () =>
  new Failure({
    code: "FORBIDDEN",
    message: "A program renews this key over OAuth. Revoke it to take the program's access away.",
  })

/**
 * Replaces a key; only this response shows the new one, which has the same restrictions.
 * `expiryAfterRoll` says when it expires. The old key works during the grace period, or until its
 * own expiry. With `cascade` the keys that it has issued end immediately.
 *
 * The new key counts as issued by the key that rolls it and ends with that key on `cascade`. If a
 * first key rolls itself, the new key has no issuer either, and the old one counts as issued by the
 * new one. A key that the host rolls keeps its issuer. The commit also rewrites the caller's key,
 * so that a key that is being revoked cannot roll another.
 *
 * Fails with `NOT_FOUND` for a key that is not the account's or no longer works, with `FORBIDDEN`
 * for one that the caller's key may not roll, and with `PLAN_LIMIT_EXCEEDED` where the account has
 * the most working keys, and as `issuerOf` does.
 */
export const rollKey = Effect.fn("rollKey")(function* (
  caller: Caller,
  id: string,
  input: RollInput,
) {
  const store = yield* Store
  const ids = yield* Ids
  const lifetime = yield* CurrentKeyLifetime
  const made = yield* makeKey(caller.account, { expires_at: null })

  return yield* retryConflict(
    Effect.gen(function* () {
      const old = yield* readOwn("api_key", caller.account.id, id, "working API key")
      const now = yield* Clock.currentTimeMillis
      if (!isValid(old, now)) return yield* notFound("working API key", id)
      const issuer = yield* issuerOf(caller, now)
      const keys = yield* store.list("api_key", { by: { account_id: caller.account.id } })
      if (old.oauth !== null) return yield* ofProgram()
      if (!mayRoll(keys, issuer, id)) return yield* forbidden()
      const { restrictions } = old
      const minted_by = issuerAfterRoll(old, issuer.id)
      const roller = { id: issuer.id, expires_at: issuer.key.expires_at }
      const expires_at = expiryAfterRoll({ old, roller, now, lifetime })
      const record = { ...made.record, created_at: now, expires_at, minted_by, restrictions }
      const end = now + input.grace_period_seconds * SECOND
      const oldEnd = old.expires_at === null ? end : Math.min(old.expires_at, end)
      const replaced = {
        ...old,
        expires_at: oldEnd,
        minted_by: issuerOnceReplaced(old, record.id),
      }
      const view: typeof RolledKeyView.Type = {
        ...issuedKeyView(record, made.text),
        replaces: { id: old.id, expires_at: toIso(oldEnd) },
      }
      const issued = input.cascade === true ? yield* workingIssuedBy(old, now) : []
      const ended = yield* ending(issued, byKey(caller), now)
      const details = { replaced_by: record.id, expires_at: toIso(oldEnd) }
      const rolled: CommitPart = {
        writes: [
          { op: "insert", kind: "api_key", record },
          { op: "replace", kind: "api_key", record: replaced },
          yield* logged(byKey(caller), "api_key.rolled", id, details),
          ...ended.writes,
        ],
        events: [
          ...eventsFor(keyEvent("api_key.rolled", replaced, caller.api_key_id), ids, now),
          ...ended.events,
        ],
      }
      // The old key is written once, also where it is the issuer.
      const held = issuer.id === id ? {} : issuer.part
      yield* storeKey(caller.account, merge(rolled, held, yield* replyWith(view)))
      return view
    }),
  )
})
