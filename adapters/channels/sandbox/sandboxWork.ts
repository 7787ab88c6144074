import { Effect, Layer } from "effect"
import { DueWork, type DueWorkItem } from "../../../core/ports/DueWork.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import { Books } from "./Books.ts"
import { ChannelSettings } from "./ChannelSettings.ts"
import { type Charge, settle } from "./Charge.ts"
import { confirmRefunds } from "./ChargeRefunds.ts"
import { answeredBy, Messenger } from "./Messenger.ts"

const BATCH = 64

/**
 * The charge after what falls due by then: refunds that are confirmed, or fail where the channel
 * `rejects` them, its settlement, and messages that are to be sent.
 */
const fallDue = (before: Charge, now: Timestamp, rejects: boolean): Charge => {
  const charge = confirmRefunds(before, now, rejects, now)
  const settles = charge.settle_at !== null && charge.settle_at <= now
  const sends = charge.outbox.some(({ at }) => at <= now)
  if (!settles && !sends) return charge
  const later = answeredBy(now)
  const settled = settles ? settle(charge, later) : charge
  // Whoever enters this sends the messages; nobody else takes them up before then.
  return {
    ...settled,
    outbox: settled.outbox.map((message) => ({ ...message, at: Math.max(message.at, later) })),
  }
}

const make = Effect.gen(function* () {
  const books = yield* Books
  const messenger = yield* Messenger
  const settings = yield* ChannelSettings

  const work = Effect.fnUntraced(function* ({ channel, out_trade_no }: Charge, now: Timestamp) {
    let ours = false
    const faults = (yield* settings.all).get(channel)?.faults
    const rejects = faults?.refund_rejects === true || faults?.refund_rejects_late === true
    const charge = yield* books.change(channel, out_trade_no, (before) => {
      const after = fallDue(before, now, rejects)
      ours = after !== before
      return after
    })
    if (ours && charge !== undefined) yield* messenger.send(charge)
    return ours
  })

  const item: DueWorkItem = {
    name: "sandbox_charge",
    nextDueAt: books.nextDueAt,
    runDue: Effect.fnUntraced(function* (now) {
      const due = yield* books.due(now, BATCH)
      const done = yield* Effect.forEach(due, (charge) => work(charge, now), { concurrency: 16 })
      return done.filter(Boolean).length
    }),
  }
  return [item]
})

/** Settles captured charges and repeats unanswered callbacks, by the service's clock. */
export const layer = Layer.effect(DueWork, make)
