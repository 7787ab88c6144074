import { Effect, Exit } from "effect"
import type { TradeStatus } from "../../core/gateway/ChannelCallback.ts"
import { receiveCallback } from "../../core/dispatch/receiveCallback.ts"
import { toMajor } from "../../core/shared/Money.ts"
import { MINUTE, SECOND, toIso } from "../../core/shared/Timestamp.ts"
import { TAIL } from "../faults/Faults.ts"
import { currencies } from "../ports/market.ts"
import type { Chance } from "../random/Chance.ts"
import { CurrentCause } from "../world/ports/CurrentCause.ts"
import { isOutOfReach } from "../world/processes/Process.ts"
import type { Stage } from "../world/Stage.ts"
import { AGAIN_AFTER, callbackDelay } from "./Outages.ts"
import {
  type CallbackData,
  encode,
  type Envelope,
  type MessageData,
  type RefundData,
  seal,
  sign,
} from "./Codec.ts"
import { moneyOf } from "./Ledger.ts"
import type { BookedCharge, Network, Refunded } from "./Network.ts"
import { type SpoiltMessage, spoiltMessagesOf } from "./spoiltRefundMessages.ts"

/** Returns the name that all copies of a message share at their channel. */
const nameOf = (data: MessageData): string =>
  "refund_status" in data
    ? `${data.out_request_no} ${data.refund_status}`
    : `${data.trade_no} ${data.trade_status}`

/** Whether a message names the paying trade; a trade number before it has no meaning. */
const tellsOfMoney = (data: MessageData): data is CallbackData =>
  "trade_status" in data && (data.trade_status === "AUTHORIZED" || data.trade_status === "SUCCESS")

/** The flaw of a genuinely signed message about something that never happened. */
const CONFUSED = "callback_confused"

/** Receives how the service reacted to a message. */
export type Heard = (message: {
  readonly envelope: Envelope
  readonly data: MessageData
  readonly flaw: string | null
  readonly exit: Exit.Exit<unknown, unknown>
}) => void

/** The path of a channel's messages to the service, with everything that can happen on it. */
export class Callbacks {
  readonly #stage: Stage
  readonly #network: Network
  readonly #chance: Chance
  readonly #heard: Heard
  /** Acknowledged messages about money, by channel, to be mixed with later ones. */
  readonly #acknowledged = new Map<string, Array<CallbackData>>()
  /** The last message of each channel about a refund, to be mixed with the next. */
  readonly #refunds = new Map<string, RefundData>()

  constructor(stage: Stage, network: Network, heard: Heard) {
    this.#stage = stage
    this.#network = network
    this.#chance = stage.chance("callbacks")
    this.#heard = heard
  }

  /** Sends a message until it is acknowledged, and sometimes wrong messages in addition. */
  readonly notify = (charge: BookedCharge, status: TradeStatus, surely = false): void => {
    const data = this.#describe(charge, status)
    const secret = this.#network.secret(charge.channel) ?? ""
    if (this.#send(charge, data, secret, surely)) this.#misuse(charge, data, secret)
  }

  /** Does the same for a message about a refund. */
  readonly notifyRefund = (
    charge: BookedCharge,
    { amount, number }: Refunded,
    why: string | null,
  ) => {
    const currency = currencies.get(amount.currency) ?? { code: amount.currency, exponent: 2 }
    const data: RefundData = {
      out_trade_no: charge.out_trade_no,
      out_request_no: number,
      refund_amount: toMajor(amount, currency),
      refund_status: why === null ? "SUCCESS" : "FAILED",
      ...(this.#chance.hits(0.6) && { currency: amount.currency }),
      ...(why !== null && { failure_reason: why }),
    }
    const secret = this.#network.secret(charge.channel) ?? ""
    this.#send(charge, data, secret, false)
    this.#misuseRefund(charge, data, secret)
  }

  /** Sends a channel's message about what never happened to a charge; it must do nothing. */
  readonly confuse = (charge: BookedCharge, status: TradeStatus) => {
    this.#stage.log.note(CONFUSED, charge.out_trade_no)
    const data = this.#describe(charge, status)
    const secret = this.#network.secret(charge.channel) ?? ""
    const flaw = `${CONFUSED}: it says ${status}`
    return Effect.asVoid(this.#receive(seal(charge.channel, secret, data), data, flaw))
  }

  #send(charge: BookedCharge, data: MessageData, secret: string, surely: boolean): boolean {
    const faults = this.#stage.faults()
    if (this.#chance.hits(faults.callback_never) && !surely) {
      this.#stage.log.note("callback_never", data.out_trade_no)
      return false
    }
    this.#stage.spawn(this.#deliver(charge, data, secret))
    if (this.#chance.hits(faults.callback_duplicated)) {
      for (let copies = this.#chance.int(1, 7); copies > 0; copies -= 1) {
        this.#stage.log.note("callback_duplicated", data.out_trade_no)
        const spread = Math.round(SECOND * (TAIL / SECOND) ** this.#chance.next())
        const after = this.#chance.hits(0.3) ? 0 : spread
        const copy = Effect.asVoid(this.#receive(seal(charge.channel, secret, data), data))
        this.#stage.spawn(Effect.andThen(Effect.sleep(after), copy))
      }
    }
    return true
  }

  #describe(charge: BookedCharge, trade_status: TradeStatus): CallbackData {
    const { out_trade_no, trade_no, payer } = charge
    const ofTaken = trade_status === "SUCCESS" || trade_status === "SETTLEMENT_FAILED"
    const amount = ofTaken ? moneyOf(charge) : charge.amount
    const currency = currencies.get(amount.currency) ?? { code: amount.currency, exponent: 2 }
    const total_amount = toMajor(amount, currency)
    const named = payer !== null && this.#chance.hits(0.7)
    return {
      out_trade_no,
      trade_no,
      total_amount,
      trade_status,
      ...(this.#chance.hits(0.6) && { currency: amount.currency }),
      ...(named && payer),
      ...(trade_status === "SUCCESS" && {
        receipt_amount: total_amount,
        pay_date: toIso(this.#stage.now()),
      }),
    }
  }

  #deliver(charge: BookedCharge, data: MessageData, secret: string) {
    return Effect.gen({ self: this }, function* () {
      yield* Effect.sleep(callbackDelay(this.#stage, this.#chance, charge))
      for (const after of [...AGAIN_AFTER, 0]) {
        const backAt = this.#network.backAt(charge.channel)
        if (backAt !== undefined) yield* Effect.sleep(backAt - this.#stage.now())
        const faults = this.#stage.faults()
        if (this.#chance.hits(faults.callback_lost)) {
          this.#stage.log.note("callback_lost", data.out_trade_no)
        } else {
          const taken = yield* this.#receive(seal(charge.channel, secret, data), data)
          if (taken && !this.#chance.hits(faults.callback_unanswered)) {
            if (tellsOfMoney(data)) this.#keep(charge.channel, data)
            return
          }
          if (taken) this.#stage.log.note("callback_unanswered", data.out_trade_no)
        }
        yield* Effect.sleep(after)
      }
    })
  }

  #keep(channel: string, data: CallbackData): void {
    const kept = this.#acknowledged.get(channel) ?? []
    kept.push(data)
    this.#acknowledged.set(channel, kept)
  }

  /** Delivers a message to the service; returns true if it was acknowledged. */
  #receive(envelope: Envelope, data: MessageData, flaw: string | null = null) {
    const isSigned = flaw === null || flaw.startsWith(CONFUSED)
    if (isSigned && "trade_status" in data) {
      this.#stage.visit(data.out_trade_no, data.trade_status)
    }
    const received = receiveCallback(envelope.channel, envelope.body, envelope.signature)
    const message = `${envelope.channel} ${nameOf(data)}`
    return Effect.provideService(received, CurrentCause, { type: "callback", flaw, message }).pipe(
      (served) => this.#stage.serve(served),
      Effect.exit,
      Effect.map((exit) => {
        if (!isOutOfReach(exit)) this.#heard({ envelope, data, flaw, exit })
        return Exit.isSuccess(exit)
      }),
    )
  }

  /** Sometimes sends messages that the channel never sent. */
  #misuse(charge: BookedCharge, data: CallbackData, secret: string): void {
    const faults = this.#stage.faults()
    const misuses = [
      ["callback_tampered", faults.callback_tampered, () => this.#tampered(charge, data, secret)],
      ["callback_crossed", faults.callback_crossed, () => this.#crossed(charge, data, secret)],
      ["callback_forged", faults.callback_forged, () => this.#forged(charge, data)],
    ] as const
    for (const [fault, probability, make] of misuses) {
      if (!this.#chance.hits(probability)) continue
      const made = make()
      if (made === undefined) continue
      this.#sendSpoilt({ fault, ...made })
    }
  }

  /** Sends messages that must never take effect, at once or minutes later. */
  #sendSpoilt({ data, envelope, fault, flaw }: SpoiltMessage<MessageData>): void {
    this.#stage.log.note(fault, data.out_trade_no)
    const wait = Effect.sleep(this.#chance.hits(0.5) ? 0 : this.#chance.int(0, 20 * MINUTE))
    const received = this.#receive(envelope, data, `${fault}: ${flaw}`)
    this.#stage.spawn(Effect.andThen(wait, Effect.asVoid(received)))
  }

  /** Makes a genuine message with something changed, under the old signature. */
  #tampered(charge: BookedCharge, data: CallbackData, secret: string) {
    const genuine = seal(charge.channel, secret, data)
    const wrong: CallbackData = this.#chance.pick([
      { ...data, trade_status: "SUCCESS" },
      { ...data, trade_status: "AUTHORIZED", payer_id: "thief", wallet_id: "thief" },
      { ...data, trade_status: "SETTLEMENT_FAILED" },
      { ...data, total_amount: `1${data.total_amount}` },
    ])
    const envelope = { ...genuine, body: encode(charge.channel, wrong) }
    return wrong.trade_status === data.trade_status && wrong.total_amount === data.total_amount
      ? undefined
      : { envelope, data: wrong, flaw: "the body was changed after it was signed" }
  }

  /** Makes a message with facts of one payment or channel under the name of another. */
  #crossed(charge: BookedCharge, data: CallbackData, secret: string) {
    const { channel } = charge
    const other = this.#acknowledged.get(channel)?.at(-this.#chance.int(1, 10))
    const sealed = (changed: Partial<CallbackData>, flaw: string) => {
      const wrong = { ...data, ...changed }
      return { envelope: seal(channel, secret, wrong), data: wrong, flaw }
    }
    const kind = this.#chance.weighted([
      [1, 0],
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 4],
    ])
    if (kind === 0) return sealed({ total_amount: `9${data.total_amount}` }, "another amount")
    if (kind === 1) {
      const currency = charge.amount.currency === "USD" ? "EUR" : "USD"
      return sealed({ currency }, "another currency")
    }
    if (kind === 2) {
      const stranger = this.#chance.pick(["bank_qr_b", "bank_qr_c", "business_b"])
      const envelope = seal(stranger, this.#network.secret(stranger) ?? "", data)
      return { envelope, data, flaw: "a channel that the payment does not have" }
    }
    if (other === undefined || other.out_trade_no === data.out_trade_no) return undefined
    if (kind === 3) {
      const body = encode(channel, data)
      const signature = sign(secret, encode(channel, other))
      return { envelope: { channel, body, signature }, data, flaw: "another message's signature" }
    }
    return tellsOfMoney(data)
      ? sealed({ trade_no: other.trade_no }, "another payment's trade number")
      : undefined
  }

  /** Sometimes sends messages about a refund that its channel never sent. */
  #misuseRefund({ channel }: BookedCharge, data: RefundData, secret: string): void {
    const other = this.#refunds.get(channel)
    this.#refunds.set(channel, data)
    const genuine = { channel, data, other, secret }
    for (const spoilt of spoiltMessagesOf(this.#chance, this.#stage.faults(), genuine)) {
      this.#sendSpoilt(spoilt)
    }
  }

  /** Makes a message without the channel's secret. */
  #forged(charge: BookedCharge, data: CallbackData) {
    const { channel } = charge
    const trade_status = this.#chance.pick(["AUTHORIZED", "SUCCESS"] as const)
    const wrong: CallbackData = { ...data, trade_status }
    const body = encode(channel, wrong)
    const guessed = sign("guessed", body)
    const signature = this.#chance.pick([undefined, "", guessed, "0".repeat(64)])
    return { envelope: { channel, body, signature }, data: wrong, flaw: "no genuine signature" }
  }
}
