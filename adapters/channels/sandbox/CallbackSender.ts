import { Clock, Context, Effect, Layer } from "effect"
import type {
  ChannelCallback,
  ChannelMessage,
  RefundCallback,
} from "../../../core/gateway/ChannelCallback.ts"
import { Installation } from "../../../core/ports/Installation.ts"
import type { StoreUnavailable } from "../../../core/ports/Store.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import type { Currency } from "../../../core/shared/Currency.ts"
import { toMajor } from "../../../core/shared/Money.ts"
import { HOUR, MINUTE, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { encodeCallback } from "../codec.ts"
import { Books, type Entry } from "./Books.ts"
import { CallbackTransport } from "./CallbackTransport.ts"
import { ChannelSettings } from "./ChannelSettings.ts"
import type { Charge, Message } from "./Charge.ts"
import { takenOf } from "./ChargeCapture.ts"

/** The pauses before an unanswered callback is sent again, one per try. */
const WAITS = [5 * SECOND, 30 * SECOND, 5 * MINUTE, 30 * MINUTE, HOUR, 6 * HOUR]

/** Returns the time from which a message sent now counts as unanswered. */
export const answeredBy = (now: Timestamp): Timestamp => now + 2 * (WAITS[0] ?? 0)

const refundOf = (charge: Charge, number: string, currency: Currency): RefundCallback => {
  const effect = charge.effects[number]
  const value = effect?.value ?? charge.amount.value
  const reason = effect?.refused ?? null
  return {
    channel: charge.channel,
    out_trade_no: charge.out_trade_no,
    out_request_no: number,
    refund_amount: toMajor({ ...charge.amount, value }, currency),
    refund_status: reason === null ? "SUCCESS" : "FAILED",
    currency: charge.amount.currency,
    ...(reason !== null && { failure_reason: reason }),
  }
}

const callbackOf = (
  charge: Charge,
  message: Message,
  currency: Currency,
  at: Timestamp,
): ChannelMessage => {
  const { status } = message
  if (status === "REFUND") return refundOf(charge, message.number ?? "", currency)
  const tellsOfTaken = status === "SUCCESS" || status === "SETTLEMENT_FAILED"
  const pays = status === "AUTHORIZED" || status === "SUCCESS"
  const callback: ChannelCallback = {
    channel: charge.channel,
    out_trade_no: charge.out_trade_no,
    trade_no: charge.trade_no,
    total_amount: toMajor(tellsOfTaken ? takenOf(charge) : charge.amount, currency),
    trade_status: status,
    currency: charge.amount.currency,
    ...(pays && { payer_id: charge.payer_id, wallet_id: charge.wallet_id }),
    ...(status === "SUCCESS" && { paid_at: at }),
  }
  return callback
}

/** Whether the service has finally accepted or refused the message. */
const isFinal = (status: number | null): boolean =>
  status !== null && status < 500 && status !== 429 && status !== 408

/** Sends a channel's callbacks to the service. */
export class CallbackSender extends Context.Service<
  CallbackSender,
  {
    /** Sends the messages in the charge's outbox in order, until one is not answered. */
    readonly send: (entry: Entry) => Effect.Effect<void, StoreUnavailable>
    /** Sends one message. Returns whether the service has answered it finally. */
    readonly tell: (message: ChannelMessage) => Effect.Effect<boolean>
  }
>()("payport/adapters/channels/sandbox/CallbackSender") {}

const make = Effect.gen(function* () {
  const books = yield* Books
  const settings = yield* ChannelSettings
  const transport = yield* CallbackTransport
  const vault = yield* Vault
  const { currencies } = yield* Installation

  const tell: CallbackSender["Service"]["tell"] = Effect.fnUntraced(function* (message) {
    const channel = (yield* settings.all).get(message.channel)
    if (channel === undefined) return true
    const body = encodeCallback(message)
    const signature = vault.hmac(channel.secret, body)
    const { status } = yield* transport.post(message.channel, body, signature)
    if (channel.faults.duplicate_callbacks) {
      yield* transport.post(message.channel, body, signature)
    }
    return isFinal(status)
  })

  const post = Effect.fnUntraced(function* (charge: Charge, message: Message) {
    const currency = currencies.get(charge.amount.currency)
    if (currency === undefined) return true
    return yield* tell(callbackOf(charge, message, currency, yield* Clock.currentTimeMillis))
  })

  /**
   * Removes an answered message from the outbox, or delays all messages after an unanswered one. A
   * repeated wallet action sends a message before its time. Then nothing is delayed further:
   * otherwise a few seconds of repetitions would delay it for hours.
   */
  const note = (known: Entry, message: Message, answered: boolean, now: Timestamp) => {
    const { channel, out_trade_no } = known.charge
    const decide = (before: Charge) => {
      const at = before.outbox.findIndex(
        ({ number, status }) => status === message.status && number === message.number,
      )
      const found = before.outbox[at]
      if (found === undefined) return before
      const wait = WAITS[found.tries]
      const left = before.outbox.toSpliced(at, 1)
      if (answered || wait === undefined) return { ...before, outbox: left }
      if (found.at > answeredBy(now)) return before
      const outbox = before.outbox.map((waiting) => ({
        ...waiting,
        tries: waiting === found ? waiting.tries + 1 : waiting.tries,
        at: now + wait,
      }))
      return { ...before, outbox }
    }
    return books.change(channel, out_trade_no, decide, known)
  }

  const send: CallbackSender["Service"]["send"] = Effect.fnUntraced(function* (entry) {
    const { charge } = entry
    let known = entry
    for (const message of charge.outbox) {
      const answered = yield* post(charge, message)
      known = (yield* note(known, message, answered, yield* Clock.currentTimeMillis)) ?? known
      if (!answered) return
    }
  })
  return { send, tell }
})

/** Sends callbacks over the `CallbackTransport` of the context. */
export const layer = Layer.effect(CallbackSender, make)
