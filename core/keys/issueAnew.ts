import { Clock, Effect } from "effect"
import { byOperator, logged } from "../accountLog/logged.ts"
import { issuedKeyView } from "../accounts/ApiKey.ts"
import { CurrentKeyLifetime, firstExpiry } from "../accounts/KeyRules.ts"
import { makeKey } from "../accounts/makeKey.ts"
import { storeKey } from "../accounts/storeKey.ts"
import { audited } from "../audit/audited.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"
import { isId } from "../shared/Id.ts"
import { toIso } from "../shared/Timestamp.ts"
import { eventsFor } from "../webhooks/events/Event.ts"
import { keyEvent } from "./KeyEvent.ts"

/**
 * Issues another first key of an account for its operator; only this response shows it. So an
 * account that has lost its keys, or whose first key was stolen and rolled, is reached again: the
 * new key revokes every other one.
 *
 * Fails with `NOT_FOUND`, and with `PLAN_LIMIT_EXCEEDED` where the account has the most working
 * keys.
 */
export const issueAnew = Effect.fn("issueAnew")(function* (accountId: string) {
  const store = yield* Store
  const ids = yield* Ids
  const lifetime = yield* CurrentKeyLifetime
  const found = isId("acct", accountId) ? yield* store.find("account", accountId) : undefined
  const account = found ?? (yield* notFound("account", accountId))
  const expires_at = firstExpiry(yield* Clock.currentTimeMillis, lifetime)
  const { record, text } = yield* makeKey(account, { expires_at })
  const view = issuedKeyView(record, text)
  const { hint, id } = record
  return yield* retryConflict(
    Effect.gen(function* () {
      const by = byOperator(accountId)
      const details = { hint, expires_at: expires_at === null ? null : toIso(expires_at) }
      yield* storeKey(account, {
        writes: [
          { op: "insert", kind: "api_key", record },
          yield* logged(by, "api_key.created", id, details),
        ],
        events: eventsFor(keyEvent("api_key.created", record, by.actor), ids, record.created_at),
        ...(yield* replyWith(view)),
        ...(yield* audited("api_key.created", id, { account_id: accountId })),
      })
      return view
    }),
  )
})
