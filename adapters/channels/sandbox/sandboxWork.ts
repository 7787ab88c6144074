import { Effect, Layer } from "effect"
import { DueWork, type DueWorkItem } from "../../../core/ports/DueWork.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import { Books, type Entry } from "./Books.ts"
import { ChannelSettings } from "./ChannelSettings.ts"
import { type Charge, settle } from "./Charge.ts"
import { confirmRefunds } from "./ChargeRefunds.ts"
import { answeredBy, CallbackSender } from "./CallbackSender.ts"

const BATCH = 64

/**
 * Returns the charge after everything due at `now`: refunds are confirmed, or fail if the channel
 * `rejects` them, captured money settles, and messages are sent.
 */
const applyDueWork = (before: Charge, now: Timestamp, rejects: boolean): Charge => {
  const charge = confirmRefunds(before, now, rejects, now)
  const settles = charge.settle_at !== null && charge.settle_at <= now
  const sends = charge.outbox.some(({ at }) => at <= now)
  if (!settles && !sends) return charge
  const later = answeredBy(now)
  const settled = settles ? settle(charge, later) : charge
  // The process that stores this sends the messages. No other process sends them before `later`.
  return {
    ...settled,
    outbox: settled.outbox.map((message) => ({ ...message, at: Math.max(message.at, later) })),
  }
}

const make = Effect.gen(function* () {
  const books = yield* Books
  const callbacks = yield* CallbackSender
  const settings = yield* ChannelSettings

  const work = Effect.fnUntraced(function* (due: Entry, now: Timestamp) {
    const { channel, out_trade_no } = due.charge
    let ours = false
    const faults = (yield* settings.all).get(channel)?.faults
    const rejects = faults?.refund_rejects === true || faults?.refund_rejects_late === true
    const decide = (before: Charge) => {
      const after = applyDueWork(before, now, rejects)
      ours = after !== before
      return after
    }
    const entry = yield* books.change(channel, out_trade_no, decide, due)
    if (ours && entry !== undefined) yield* callbacks.send(entry)
    return ours
  })

  const item: DueWorkItem = {
    name: "sandbox_charge",
    nextDueAt: books.nextDueAt,
    runDue: Effect.fnUntraced(function* (now) {
      const due = yield* books.due(now, BATCH)
      const done = yield* Effect.forEach(due, (entry) => work(entry, now), { concurrency: 16 })
      return done.filter(Boolean).length
    }),
  }
  return [item]
})

/** Settles captured charges and repeats unanswered callbacks, by the service's clock. */
export const layer = Layer.effect(DueWork, make)
