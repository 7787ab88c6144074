import { Clock, Effect } from "effect"
import { byKey, logged } from "../accountLog/logged.ts"
import type { Caller } from "../accounts/Account.ts"
import { issuedKeyView } from "../accounts/ApiKey.ts"
import { makeKey } from "../accounts/makeKey.ts"
import { storeKey } from "../accounts/storeKey.ts"
import { type CommitPart, merge } from "../commits/Commit.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { Ids } from "../ports/Ids.ts"
import { toIso } from "../shared/Timestamp.ts"
import { eventsFor } from "../webhooks/events/Event.ts"
import { issuerOf } from "./issuerOf.ts"
import { keyEvent } from "./KeyEvent.ts"
import type { KeyInput } from "./KeyInput.ts"
import { limitNewKey } from "./limitNewKey.ts"
import { restrictionsView } from "../accounts/KeyRestrictions.ts"
import { canonicalJson } from "../shared/Text.ts"

/**
 * Issues another key of the caller's account; only this response shows it. It neither outlives the
 * issuing key nor may do more. The commit also rewrites the issuing key, so that a key that is
 * being revoked with its descendants cannot issue another.
 *
 * Fails with `PLAN_LIMIT_EXCEEDED` where the account has the most working keys, and as `issuerOf`
 * does.
 */
export const issueKey = Effect.fn("issueKey")(function* (caller: Caller, input: KeyInput) {
  const ids = yield* Ids
  const { record: made, text } = yield* makeKey(caller.account, { expires_at: null })
  return yield* retryConflict(
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const issuer = yield* issuerOf(caller, now)
      const limits = yield* limitNewKey(made.id, input, issuer.key, now)
      const record = { ...made, ...limits, minted_by: issuer.id }
      const view = issuedKeyView(record, text)
      const { expires_at, hint, id, restrictions } = record
      const details = {
        hint,
        expires_at: expires_at === null ? null : toIso(expires_at),
        restrictions: restrictions && canonicalJson(restrictionsView(restrictions)),
      }
      const own: CommitPart = {
        writes: [
          { op: "insert", kind: "api_key", record },
          yield* logged(byKey(caller), "api_key.created", id, details),
        ],
        events: eventsFor(keyEvent("api_key.created", record, caller.api_key_id), ids, now),
      }
      yield* storeKey(caller.account, merge(own, issuer.part, yield* replyWith(view)))
      return view
    }),
  )
})
