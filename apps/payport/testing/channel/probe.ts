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
 * A callback as it arrives: its raw body (a string stands for its UTF-8), and the value of its
 * `X-Channel-Signature`, or all headers if the channel signs in its own way.
 */
export interface SentCallback {
  readonly body: Uint8Array | string
  readonly signature?: string
  readonly headers?: { readonly [name: string]: string }
}

/** What the contract needs from a channel's test mode, besides the adapter. */
export interface ChannelTestMode {
  /** The channel's id. */
  readonly channel: string
  /** A currency that it accepts, in which a charge of 500 minor units is possible. */
  readonly currency: string
  /** Authorizes a charge by QR code as its payer, or pays one by link, through the test mode. */
  readonly pay: (charge: Charge, by: "qr" | "link") => void | Promise<void>
  /** Whether the channel makes charges by link; true by default. */
  readonly links?: boolean
  /** Whether a partial capture is possible, as in the channel's `partial_capture`. */
  readonly parts?: boolean
  /**
   * Returns a callback with this message, signed as the channel signs. Without this function,
   * callbacks are not checked.
   */
  readonly callback?: (message: ChannelMessage) => SentCallback | Promise<SentCallback>
  /** Approves a mandate as its payer. Without it, mandates and debits are not checked. */
  readonly approve?: (mandate: MandateRequest) => void | Promise<void>
  /** Carries out the channel's promises, such as slow refunds. Needed if refunds may be slow. */
  readonly conclude?: () => void | Promise<void>
  /** The time of the channel, in milliseconds: the machine's by default. */
  readonly now?: () => number
}

/** Registers a check that has the adapter, in its channel's test mode. */
export type ChannelCheck = Check<Channels>

/** The amount of the checks' charges, in minor units. */
export const AMOUNT = 500

/** Waits for an action of the test mode. */
export const done = (act: () => void | Promise<void>) => Effect.promise(async () => act())

/** The channel's time. */
export const timeOf = ({ now = Date.now }: ChannelTestMode): number => now()

/** Makes a new charge that is not registered yet. */
export const draftCharge = (mode: ChannelTestMode, value = AMOUNT): Charge => ({
  channel: mode.channel,
  out_trade_no: `pi_${randomUUID()}`,
  charge_id: `qr_${randomUUID()}`,
  amount: { currency: mode.currency, value },
  description: "Contract",
  expires_at: timeOf(mode) + 15 * MINUTE,
})

/** Makes a charge that its payer has paid by link. */
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

/** Registers a charge by QR code, and authorizes it as its payer. */
export const held = (mode: ChannelTestMode) =>
  Effect.tap(opened(mode), (charge) => done(() => mode.pay(charge, "qr")))

/** Makes a call about a charge, with a new number. */
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

/** Calls the channel, which has to carry out the call at once or after `conclude`. */
export const carriedOut = (mode: ChannelTestMode, made: ChannelCall) =>
  Effect.gen(function* () {
    const first = yield* call(made)
    if (first.type === "pending" && mode.conclude !== undefined) yield* done(mode.conclude)
    const outcome = first.type === "pending" ? yield* (yield* Channels).ask(made) : first
    expect(outcome, `the ${made.action}`).toMatchObject({ type: "done" })
    return outcome
  })

/** Makes a captured charge. */
export const captured = (mode: ChannelTestMode) =>
  Effect.tap(held(mode), (charge) => carriedOut(mode, callFor(charge, "capture")))

/** Returns what the channel knows about a charge; undefined if it does not know the charge. */
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

/** Returns the status of a charge; undefined if the channel does not know the charge. */
export const statusOf = (charge: ChargeReference) =>
  Effect.map(tradeOf(charge), (trade) => trade?.status)
