import { Clock, Effect, Result } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { merge } from "../commits/Commit.ts"
import { replyWith, retryConflict } from "../idempotency/answerOnce.ts"
import { Store } from "../ports/Store.ts"
import { findVisible, onlyPayee } from "./access.ts"
import { writeMove } from "./writeMove.ts"
import { settledAsOf } from "./expireIntent.ts"
import { view } from "./IntentView.ts"
import { closedByEnding, end, invalidTransition } from "./Lifecycle.ts"

const endBy = Effect.fnUntraced(function* (
  caller: Caller,
  id: string,
  type: "voided" | "cancelled",
) {
  const stored = yield* findVisible(caller, id)
  if (type === "cancelled") yield* onlyPayee(caller, stored, "cancel")
  const at = yield* Clock.currentTimeMillis
  const intent = yield* settledAsOf(stored, at)
  if (intent.status === type) return view(intent, at, caller.account.id)
  const moved = end(intent, { type, at })
  if (Result.isFailure(moved)) return yield* invalidTransition(intent, type)
  const shown = view(moved.success.record, at, caller.account.id)
  const store = yield* Store
  const written = yield* writeMove(intent, moved.success, closedByEnding(intent, type), at)
  yield* store.commit(merge(written, yield* replyWith(shown)))
  return shown
})

/**
 * Voids an unpaid payment for its payee, its payer or its creator (Request Payment, void). Money
 * that was authorized is released at the channel. A repeated void returns the same payment.
 */
export const voidIntent = Effect.fn("voidIntent")((caller: Caller, id: string) =>
  retryConflict(endBy(caller, id, "voided")),
)

/** Cancels an unpaid payment for its payee (States and transitions: payee cancels). */
export const cancelIntent = Effect.fn("cancelIntent")((caller: Caller, id: string) =>
  retryConflict(endBy(caller, id, "cancelled")),
)
