import { Clock, Effect } from "effect"
import { type CommitPart, type Conflict, merge } from "../commits/Commit.ts"
import { catchConflict } from "../commits/catchConflict.ts"
import { Store } from "../ports/Store.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { MOST_ASKS, type PaymentIntent } from "./PaymentIntent.ts"
import { countOfFull, MOST_UNPAID } from "./UnpaidPayments.ts"
import { removed, writeIntent } from "./writeIntent.ts"

/**
 * The removal of a payment that nobody has begun to make. One for which money came too late and
 * went back is in the books, and stays for good.
 */
const leaving = Effect.fnUntraced(function* (intent: PaymentIntent, now: Timestamp) {
  const store = yield* Store
  const { id: payment_intent, payee_account_id: account_id } = intent
  const rows = yield* store.listPostings({ account_id, payment_intent, limit: 1 })
  if (rows.length === 0) return removed(intent)
  return yield* writeIntent(intent, { ...intent, channel_asks: MOST_ASKS }, now)
})

/** Removes payments that nobody has begun to make, all in one commit. */
export const leave = Effect.fnUntraced(function* (intents: ReadonlyArray<PaymentIntent>) {
  const now = yield* Clock.currentTimeMillis
  const parts: ReadonlyArray<CommitPart> = yield* Effect.forEach(intents, (intent) =>
    leaving(intent, now),
  )
  yield* (yield* Store).commit(merge(...parts))
})

/** How many make room at a time: those that come at once look for it once. */
const BATCH = 100

/**
 * Stores with `commit` one more payment that is to leave. Where the account has as many as its plan
 * keeps, the oldest leave first; an account whose plan was larger before has more, and they leave
 * as others come. However many processes do so at once, there are never more than that.
 */
export const amongUnpaid = Effect.fnUntraced(function* <E, R>(
  accountId: string,
  commit: (most: number) => Effect.Effect<void, E | Conflict, R>,
) {
  const store = yield* Store
  const account = yield* store.find("account", accountId)
  const most = MOST_UNPAID[account?.plan ?? "starter"]
  yield* catchConflict(
    (reason) => countOfFull(accountId, reason) !== undefined,
    ({ reason }) =>
      Effect.gen(function* () {
        const oldest = yield* store.listUnpaid(accountId, BATCH)
        // Whoever was faster has made the room.
        yield* Effect.catchTag(leave(oldest), "Conflict", () => Effect.void)
        yield* commit(Math.max(most, countOfFull(accountId, reason) ?? 0))
      }),
  )(commit(most))
})
