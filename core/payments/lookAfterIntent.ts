import { Clock, Effect } from "effect"
import { Channels } from "../ports/Channels.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import { retryConflict } from "../shared/retryConflict.ts"
import { expireIntent } from "./expireIntent.ts"
import * as Inquiry from "./Inquiry.ts"
import { charges } from "./Lifecycle.ts"
import { askAt, canExpire, type PaymentIntent } from "./PaymentIntent.ts"
import { actOn } from "./receiveCallback.ts"
import { writeIntent } from "./writeIntent.ts"

/** Asks one channel what became of its charge, and acts on what it had not told. */
const ask = Effect.fnUntraced(function* (
  intent: PaymentIntent,
  { channel, charge_id }: { readonly channel: string; readonly charge_id: string },
) {
  const { currencies } = yield* Installation
  const out_trade_no = intent.id
  const answer = yield* (yield* Channels).query({ channel, out_trade_no, charge_id })
  if (answer.type !== "known") return answer
  const currency = currencies.get(answer.trade.amount.currency)
  const news = currency && Inquiry.callbackOf(intent, channel, answer.trade, currency)
  if (news !== undefined) {
    yield* actOn(news).pipe(
      Effect.catchTag("Failure", ({ code, message }) =>
        Effect.logWarning("A channel knows something else of a payment.", { code, message }),
      ),
    )
  }
  return answer
})

/** Notes that the channels were asked, unless the payment has moved on because of it. */
const noteAsking = (asked: PaymentIntent, answers: Parameters<typeof Inquiry.asksAfter>[1]) =>
  retryConflict(
    Effect.gen(function* () {
      const store = yield* Store
      const intent = yield* store.findIntent(asked.id)
      if (intent === undefined || intent.status !== asked.status) return
      if (intent.channel_asks !== asked.channel_asks || askAt(intent) === null) return
      const record = { ...intent, channel_asks: Inquiry.asksAfter(intent, answers) }
      const now = yield* Clock.currentTimeMillis
      const { write, ...ledger } = yield* writeIntent(intent, record, now)
      yield* store.commit({ ...ledger, writes: [write] })
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
  yield* noteAsking(intent, yield* Effect.forEach(asked, (charge) => ask(intent, charge)))
})
