import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import {
  type ChannelCall,
  Channels,
  type Charge,
  type ChargeReference,
  type MandateRequest,
  type Trade,
} from "../../../../core/ports/Channels.ts"
import type { ChannelMessage } from "../../../../core/gateway/ChannelCallback.ts"
import { MINUTE } from "../../../../core/shared/Timestamp.ts"
import type { Check } from "../Contract.ts"
import { expect } from "../expect.ts"

/**
 * A callback as it arrives: its raw body (a text stands for its UTF-8), and what its
 * `X-Channel-Signature` says, or the headers by which the channel signs in a way of its own.
 */
export interface SentCallback {
  readonly body: Uint8Array | string
  readonly signature?: string
  readonly headers?: { readonly [name: string]: string }
}

/** What the contract needs of a channel's test mode, beside the adapter. */
export interface ChannelTestMode {
  /** The channel's id. */
  readonly channel: string
  /** A currency that it takes, in which a charge of 500 minor units is possible. */
  readonly currency: string
  /** The payer authorizes a charge by QR code, or pays one by link, as test mode lets one. */
  readonly pay: (charge: Charge, by: "qr" | "link") => void | Promise<void>
  /** Whether it makes charges by link, as it does unless this says otherwise. */
  readonly links?: boolean
  /** Whether a capture may take a part, as the channel's `partial_capture` says. */
  readonly parts?: boolean
  /**
   * A callback of the channel that says this, signed as the channel does. Without it, callbacks are
   * not checked.
   */
  readonly callback?: (message: ChannelMessage) => SentCallback | Promise<SentCallback>
  /** The person approves a mandate. Without it, mandates and debits are not checked. */
  readonly approve?: (mandate: MandateRequest) => void | Promise<void>
  /** What the channel has promised happens: slow refunds are made. Needed where some are slow. */
  readonly conclude?: () => void | Promise<void>
  /** The time of the channel, in milliseconds: the machine's unless given. */
  readonly now?: () => number
}

/** Registers a check that has the adapter, in its channel's test mode. */
export type ChannelCheck = Check<Channels>

/** What a charge of the checks is made of; `AMOUNT` in minor units. */
export const AMOUNT = 500

/** Waits for what a test mode does. */
export const done = (act: () => void | Promise<void>) => Effect.promise(async () => act())

/** The channel's time. */
export const timeOf = ({ now = Date.now }: ChannelTestMode): number => now()

/** A new charge, which nobody has registered. */
export const draftCharge = (mode: ChannelTestMode, value = AMOUNT): Charge => ({
  channel: mode.channel,
  out_trade_no: `pi_${randomUUID()}`,
  charge_id: `qr_${randomUUID()}`,
  amount: { currency: mode.currency, value },
  description: "Contract",
  expires_at: timeOf(mode) + 15 * MINUTE,
})

/** A charge that its payer has paid by link. */
export const paidByLink = (mode: ChannelTestMode) =>
  Effect.gen(function* () {
    const charge = draftCharge(mode)
    yield* (yield* Channels).createDeepLink(charge)
    yield* done(() => mode.pay(charge, "link"))
    return charge
  })

/** Registers a charge by QR code. */
export const opened = (mode: ChannelTestMode) =>
  Effect.gen(function* () {
    const charge = draftCharge(mode)
    yield* (yield* Channels).createQr(charge)
    return charge
  })

/** The same, authorized by its payer. */
export const held = (mode: ChannelTestMode) =>
  Effect.tap(opened(mode), (charge) => done(() => mode.pay(charge, "qr")))

/** A call about a charge under a number of its own. */
export const callFor = (
  charge: Charge,
  action: ChannelCall["action"],
  value = charge.amount.value,
): ChannelCall => ({
  number: `creq_${randomUUID()}`,
  action,
  channel: charge.channel,
  out_trade_no: charge.out_trade_no,
  charge_id: charge.charge_id,
  trade_no: null,
  amount: { ...charge.amount, value },
  mandate: null,
})

/** Calls the channel. */
export const call = (made: ChannelCall) => Effect.flatMap(Channels, (port) => port.call(made))

/** Calls the channel, which has to do it, at once or as soon as it is to keep its promises. */
export const carriedOut = (mode: ChannelTestMode, made: ChannelCall) =>
  Effect.gen(function* () {
    const first = yield* call(made)
    if (first.type === "pending" && mode.conclude !== undefined) yield* done(mode.conclude)
    const outcome = first.type === "pending" ? yield* (yield* Channels).ask(made) : first
    expect(outcome, `the ${made.action}`).toMatchObject({ type: "done" })
    return outcome
  })

/** A charge whose money was taken. */
export const captured = (mode: ChannelTestMode) =>
  Effect.tap(held(mode), (charge) => carriedOut(mode, callFor(charge, "capture")))

/** What the channel knows of a charge; undefined where it knows none. */
export const tradeOf = ({
  channel,
  charge_id,
  out_trade_no,
}: ChargeReference): Effect.Effect<Trade | undefined, never, Channels> =>
  Effect.gen(function* () {
    const answer = yield* (yield* Channels).query({ channel, charge_id, out_trade_no })
    expect(["known", "not_found"]).toContain(answer.type)
    return answer.type === "known" ? answer.trade : undefined
  })

/** The status of a charge; undefined where the channel does not know it. */
export const statusOf = (charge: ChargeReference) =>
  Effect.map(tradeOf(charge), (trade) => trade?.status)
