import { Clock, Effect } from "effect"
import { Ids } from "../ports/Ids.ts"
import { Store, type Write } from "../ports/Store.ts"
import { retryConflict } from "../idempotency/retryConflict.ts"
import { askChannel } from "./askChannel.ts"
import { channelRequest } from "./consequences.ts"
import { expireIntent } from "./expireIntent.ts"
import * as Inquiry from "./Inquiry.ts"
import { charges } from "./Lifecycle.ts"
import { askAt, canExpire, type PaymentIntent } from "./PaymentIntent.ts"
import { writeIntent } from "./writeIntent.ts"

/**
 * Notes that the channels were asked, unless the payment has moved on because of it, and closes
 * what should have closed by itself.
 */
const noteAsking = (asked: PaymentIntent, told: ReadonlyArray<Inquiry.Told>) =>
  retryConflict(
    Effect.gen(function* () {
      const store = yield* Store
      const intent = yield* store.find("payment_intent", asked.id)
      if (intent === undefined || intent.status !== asked.status) return
      if (intent.channel_asks !== asked.channel_asks || askAt(intent) === null) return
      const record = { ...intent, channel_asks: Inquiry.asksAfter(intent, told) }
      const now = yield* Clock.currentTimeMillis
      const ids = yield* Ids
      const closings = Inquiry.toClose(record, told).map((task): Write => ({
        op: "insert",
        kind: "channel_request",
        record: channelRequest(`creq_${ids.uuid()}`, intent, task, now),
      }))
      const { write, ...ledger } = yield* writeIntent(intent, record, now)
      yield* store.commit({ ...ledger, writes: [write, ...closings] })
    }),
  )

/**
 * What time does to a payment: it expires (States and transitions), and a channel that should have
 * told something is asked, so that a callback which never arrives costs nothing but time. Fails
 * with `Conflict` when the payment moves on while it expires.
 */
export const lookAfterIntent = Effect.fn("lookAfterIntent")(function* (intent: PaymentIntent) {
  const now = yield* Clock.currentTimeMillis
  if (canExpire(intent) && now >= intent.expires_at) return yield* expireIntent(intent)
  const due = askAt(intent)
  if (due === null || now < due) return
  const asked = charges(intent).filter(
    ({ channel }) => intent.channel === null || channel === intent.channel,
  )
  const told = yield* Effect.forEach(asked, (charge) =>
    Effect.map(askChannel(intent, charge), (answer) => ({ charge, answer })),
  )
  yield* noteAsking(intent, told)
})
