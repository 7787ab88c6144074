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
import { CurrentKeyLifetime, earliest, expiryOf } from "../accounts/KeyRules.ts"
import { restrictionsOf, restrictionsView } from "../accounts/KeyRestrictions.ts"
import { canonicalJson } from "../shared/Text.ts"

const invalid = (field: string, reason: string) =>
  new Failure({
    code: "INVALID_REQUEST",
    message: `The field ${field} is not valid: ${reason}.`,
    field,
    details: [{ field, reason }],
  })

/** The earlier one of the two ends that may be asked for. */
const endOf = ({ expires_at, restrictions }: KeyInput): Timestamp | null | undefined => {
  const asked = [expires_at, restrictions?.expires_at].flatMap((time) => fromIso(time ?? "") ?? [])
  return asked.length === 0 && expires_at === undefined ? undefined : earliest(...asked)
}

/**
 * Issues another key of the caller's account; the answer shows it this once. It neither outlives
 * the key that issues it nor may do more. That key is written anew in the same commit: one that is
 * being revoked with all that it has issued cannot issue another meanwhile.
 *
 * Fails with `PLAN_LIMIT_EXCEEDED` where the account has as many that work as it can have.
 */
export const issueKey = Effect.fn("issueKey")(function* (caller: Caller, input: KeyInput) {
  const ids = yield* Ids
  const lifetime = yield* CurrentKeyLifetime
  const asked = endOf(input)
  const options = { expires_at: null, minted_by: caller.api_key_id }
  const { record: made, text } = yield* makeKey(caller.account, options)
  return yield* retryConflict(
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const minter = yield* callersKey(caller, now)
      const expiry = expiryOf({ asked, minter_expires_at: minter.expires_at, now, lifetime })
      if (Result.isFailure(expiry)) return yield* invalid("expires_at", expiry.failure)
      const within = restrictionsOf(input.restrictions ?? null, minter.restrictions, made.id)
      if (Result.isFailure(within)) {
        return yield* invalid(within.failure.field, within.failure.reason)
      }
      const restrictions = within.success
      const record = { ...made, restrictions, expires_at: expiry.success }
      const view = issuedKeyView(record, text)
      const { expires_at, hint, id } = record
      const details = {
        hint,
        expires_at: expires_at === null ? null : toIso(expires_at),
        restrictions: restrictions && canonicalJson(restrictionsView(restrictions)),
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
