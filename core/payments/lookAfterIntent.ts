import { Clock, Effect } from "effect"
import { merge } from "../commits/Commit.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import { retryConflict } from "../idempotency/requestKey.ts"
import { askChannel } from "./askChannel.ts"
import { writeRequests } from "./writeMove.ts"
import { expireIntent } from "./expireIntent.ts"
import { amongUnpaid, leave } from "./leave.ts"
import * as Inquiry from "./Inquiry.ts"
import { charges } from "./Lifecycle.ts"
import { askAt, canExpire, leavesAt, type PaymentIntent } from "./PaymentIntent.ts"
import { writeIntent } from "./writeIntent.ts"

/**
 * Notes that the channels were asked, unless the payment has moved on since, and closes charges
 * that should have closed by themselves.
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
      const requests = writeRequests(intent, closings, yield* Ids, now)
      const commit = (mostUnpaid?: number) =>
        Effect.flatMap(writeIntent(intent, record, now, mostUnpaid), (written) =>
          store.commit(merge(written, requests)),
        )
      yield* leavesAt(record) === null ? commit() : amongUnpaid(record.account_id, commit)
    }),
  )

/**
 * Expires a payment whose time is over (States and transitions), removes an unpaid one that has
 * been kept for long enough, and asks channels that should have sent a callback by now, so that a
 * lost callback costs only time. Fails with `Conflict` if the payment changes meanwhile.
 */
export const lookAfterIntent = Effect.fn("lookAfterIntent")(function* (intent: PaymentIntent) {
  const now = yield* Clock.currentTimeMillis
  if (canExpire(intent) && now >= intent.expires_at) return yield* expireIntent(intent)
  const leaves = leavesAt(intent)
  if (leaves !== null && now >= leaves) return yield* leave([intent])
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
