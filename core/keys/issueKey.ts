import { Clock, Effect, Result } from "effect"
import { byKey, logged } from "../accountLog/logged.ts"
import type { Caller } from "../accounts/Account.ts"
import { issuedKeyView } from "../accounts/ApiKey.ts"
import { makeKey } from "../accounts/makeKey.ts"
import { storeKey } from "../accounts/storeKey.ts"
import { replyWith, retryConflict } from "../idempotency/answerOnce.ts"
import { Ids } from "../ports/Ids.ts"
import { Failure } from "../shared/Failure.ts"
import { fromIso, type Timestamp, toIso } from "../shared/Timestamp.ts"
import { eventsFor } from "../webhooks/events/Event.ts"
import { callersKey } from "./callersKey.ts"
import { keyEvent } from "./KeyEvent.ts"
import type { KeyInput } from "./KeyInput.ts"
import { CurrentKeyLifetime, expiryOf } from "../accounts/KeyRules.ts"

const badExpiry = (reason: string) =>
  new Failure({
    code: "INVALID_REQUEST",
    message: `The field expires_at is not valid: ${reason}.`,
    field: "expires_at",
    details: [{ field: "expires_at", reason }],
  })

const askedOf = ({ expires_at }: KeyInput): Timestamp | null | undefined =>
  expires_at == null ? expires_at : (fromIso(expires_at) ?? null)

/**
 * Issues another key of the caller's account; the answer shows it this once. It does not outlive
 * the key that issues it. That key is written anew in the same commit: one that is being revoked
 * with all that it has issued cannot issue another meanwhile.
 *
 * Fails with `PLAN_LIMIT_EXCEEDED` where the account has as many that work as it can have.
 */
export const issueKey = Effect.fn("issueKey")(function* (caller: Caller, input: KeyInput) {
  const ids = yield* Ids
  const lifetime = yield* CurrentKeyLifetime
  const asked = askedOf(input)
  const restrictions = input.restrictions ?? null
  const options = { expires_at: null, minted_by: caller.api_key_id, restrictions }
  const { record: made, text } = yield* makeKey(caller.account, options)
  return yield* retryConflict(
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const minter = yield* callersKey(caller, now)
      const expiry = expiryOf({ asked, minter_expires_at: minter.expires_at, now, lifetime })
      if (Result.isFailure(expiry)) return yield* badExpiry(expiry.failure)
      const record = { ...made, expires_at: expiry.success }
      const view = issuedKeyView(record, text)
      const { expires_at, hint, id } = record
      const details = {
        hint,
        expires_at: expires_at === null ? null : toIso(expires_at),
        read_only: restrictions !== null,
      }
      yield* storeKey(caller.account, {
        writes: [
          { op: "insert", kind: "api_key", record },
          { op: "replace", kind: "api_key", record: minter },
          yield* logged(byKey(caller), "api_key.created", id, details),
        ],
        events: eventsFor(keyEvent("api_key.created", record, caller.api_key_id), ids, now),
        ...(yield* replyWith(view)),
      })
      return view
    }),
  )
})
