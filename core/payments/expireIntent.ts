import { Clock, Effect, Result } from "effect"
import { Store } from "../ports/Store.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { writeMove } from "./writeMove.ts"
import { canExpire, type PaymentIntent } from "./PaymentIntent.ts"
import { asOf, closedByEnding, end } from "./Lifecycle.ts"

/**
 * Ends an intent whose time is over (States and transitions: expires_at reached). The time of the
 * end is `expires_at`, however late the worker comes by. Does nothing when the intent has moved on
 * or when it is not due yet; fails with `Conflict` when it moves on meanwhile.
 */
export const expireIntent = Effect.fn("expireIntent")(function* (intent: PaymentIntent) {
  const now = yield* Clock.currentTimeMillis
  if (!canExpire(intent) || now < intent.expires_at) return
  const moved = end(intent, { type: "expired", at: intent.expires_at })
  if (Result.isFailure(moved)) return
  const store = yield* Store
  yield* store.commit(
    yield* writeMove(intent, moved.success, closedByEnding(intent, "expired"), now),
  )
})

/**
 * The intent as it is at that time. An intent whose time is over is stored as expired first, so
 * that a commit which was decided a moment before, here or in another process, cannot overtake a
 * decision that rests on the end. Fails with `Conflict` when the intent changes at the same time.
 */
export const settledAsOf = Effect.fnUntraced(function* (stored: PaymentIntent, now: Timestamp) {
  const intent = asOf(stored, now)
  if (intent !== stored) yield* expireIntent(stored)
  return intent
})
