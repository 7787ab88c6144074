import { Clock, Effect } from "effect"
import { retryConflict } from "../idempotency/requestKey.ts"
import { settledAsOf } from "../payments/expireIntent.ts"
import { closedByChoice, stepTime } from "../payments/Lifecycle.ts"
import { offerOf, onChannel } from "../payments/PaymentIntent.ts"
import { writeMove } from "../payments/writeMove.ts"
import { Store } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"
import { findHosted } from "./showHosted.ts"

const pick = Effect.fnUntraced(function* (id: string, channel: string) {
  const stored = yield* findHosted(id)
  const now = yield* Clock.currentTimeMillis
  const intent = yield* settledAsOf(stored, now)
  if (offerOf(intent, channel) === undefined) return yield* notFound("channel", channel)
  // The channel is fixed already, or the payment has ended; the page shows that.
  if (intent.channel !== null || intent.status !== "qr_generated") return
  const moved = { record: onChannel(intent, channel), emit: [] }
  const at = stepTime(intent, now)
  const written = yield* writeMove(intent, moved, closedByChoice(intent, channel), at)
  yield* (yield* Store).commit(written)
})

/**
 * Fixes the channel that a payer has chosen on the page of a payment, and closes the charges of the
 * other channels, so that nobody pays twice. Moves no money. Does nothing once a channel is fixed.
 *
 * Fails with `NOT_FOUND` for an unknown payment, and for a channel that it does not offer.
 */
export const pickChannel = Effect.fn("pickChannel")((id: string, channel: string) =>
  retryConflict(pick(id, channel)),
)
