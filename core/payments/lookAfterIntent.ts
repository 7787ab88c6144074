import { Clock, Effect } from "effect"
import { merge } from "../commits/Commit.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import { retryConflict } from "../idempotency/answerOnce.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { askChannel } from "./askChannel.ts"
import { writeRequests } from "./writeMove.ts"
import { expireIntent } from "./expireIntent.ts"
import * as Inquiry from "./Inquiry.ts"
import { charges } from "./Lifecycle.ts"
import { askAt, canExpire, leavesAt, MOST_ASKS, type PaymentIntent } from "./PaymentIntent.ts"
import { removed, writeIntent } from "./writeIntent.ts"

/**
 * Notes that the channels were asked, unless the payment has moved on because of it, and closes
 * what should have closed by itself.
 */
const noteAsking = (asked: PaymentIntent, answers: ReadonlyArray<Inquiry.ChannelAnswer>) =>
  retryConflict(
    Effect.gen(function* () {
      const store = yield* Store
      const intent = yield* store.find("payment_intent", asked.id)
      if (intent === undefined || intent.status !== asked.status) return
      if (intent.channel_asks !== asked.channel_asks || askAt(intent) === null) return
      const record = { ...intent, channel_asks: Inquiry.asksAfter(intent, answers) }
      const now = yield* Clock.currentTimeMillis
      const closings = Inquiry.toClose(record, answers)
      const written = yield* writeIntent(intent, record, now)
      const requests = writeRequests(intent, closings, yield* Ids, now)
      yield* store.commit(merge(written, requests))
    }),
  )

/**
 * Removes a payment that nobody has begun to make. One for which money came too late and went back
 * is in the books, and stays for good.
 */
const leave = Effect.fnUntraced(function* (intent: PaymentIntent, now: Timestamp) {
  const store = yield* Store
  const { id: payment_intent, payee_account_id: account_id } = intent
  const rows = yield* store.listPostings({ account_id, payment_intent, limit: 1 })
  if (rows.length === 0) return yield* store.commit(merge(removed(intent)))
  const kept = yield* writeIntent(intent, { ...intent, channel_asks: MOST_ASKS }, now)
  yield* store.commit(merge(kept))
})

/**
 * Expires a payment whose time is over (States and transitions), removes one that nobody has paid
 * once it has been kept for long enough, and asks channels that should have sent a callback by now,
 * so that a lost callback costs nothing but time. Fails with `Conflict` when the payment changes
 * meanwhile.
 */
export const lookAfterIntent = Effect.fn("lookAfterIntent")(function* (intent: PaymentIntent) {
  const now = yield* Clock.currentTimeMillis
  if (canExpire(intent) && now >= intent.expires_at) return yield* expireIntent(intent)
  const leaves = leavesAt(intent)
  if (leaves !== null && now >= leaves) return yield* leave(intent, now)
  const due = askAt(intent)
  if (due === null || now < due) return
  const asked = charges(intent).filter(
    ({ channel }) => intent.channel === null || channel === intent.channel,
  )
  const answers = yield* Effect.forEach(asked, (charge) =>
    Effect.map(askChannel(intent, charge), (answer) => ({ charge, answer })),
  )
  yield* noteAsking(intent, answers)
})
