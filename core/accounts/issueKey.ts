import { Clock, Effect } from "effect"
import { replyWith, retryConflict } from "../idempotency/answerOnce.ts"
import { Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"
import { fromIso } from "../shared/Timestamp.ts"
import type { Caller } from "./Account.ts"
import { issuedKeyView } from "./ApiKey.ts"
import type { KeyInput } from "./KeyInput.ts"
import { makeKey } from "./makeKey.ts"

const past = () =>
  new Failure({
    code: "INVALID_REQUEST",
    message: "The field expires_at is not valid: must be in the future.",
    field: "expires_at",
    details: [{ field: "expires_at", reason: "must be in the future" }],
  })

/** Issues another key of the caller's account; the answer shows it this once. */
export const issueKey = Effect.fn("issueKey")(function* (caller: Caller, input: KeyInput) {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  const expiresAt = input.expires_at == null ? null : (fromIso(input.expires_at) ?? null)
  if (expiresAt !== null && expiresAt <= now) return yield* past()
  const { record, text } = yield* makeKey(caller.account, { expires_at: expiresAt })
  const view = issuedKeyView(record, text)
  yield* retryConflict(
    Effect.gen(function* () {
      yield* store.commit({
        writes: [{ op: "insert", kind: "api_key", record }],
        ...(yield* replyWith(view)),
      })
    }),
  )
  return view
})
