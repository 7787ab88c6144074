import { Clock, Effect, Result } from "effect"
import { Store } from "../ports/Store.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { writeMove } from "./writeMove.ts"
import { canExpire, type PaymentIntent } from "./PaymentIntent.ts"
import { asOf, closedByEnding, end } from "./Lifecycle.ts"

/**
 * Ends an intent whose time is over (States and transitions: expires_at reached). The time of the
 * end is `expires_at`, however late the worker runs. Does nothing if the intent has moved on or is
 * not due yet. Fails with `Conflict` if the intent moves on meanwhile.
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
 * Returns the intent as it is at that time. An intent whose time is over is stored as expired
 * first. Otherwise a commit decided a moment before, here or in another process, could overtake a
 * decision that relies on the end. Fails with `Conflict` if the intent changes at the same time.
 */
export const settledAsOf = Effect.fnUntraced(function* (stored: PaymentIntent, now: Timestamp) {
  const intent = asOf(stored, now)
  if (intent !== stored) yield* expireIntent(stored)
  return intent
})
