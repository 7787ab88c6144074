import type { ChannelCallback, TradeStatus } from "../gateway/ChannelCallback.ts"
import { amountMismatch, type Contradiction } from "../gateway/Contradiction.ts"
import type { CurrencyTable } from "../shared/Currency.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { chargeAt } from "./Lifecycle.ts"
import type { OneTimeEvent } from "./OneTimePay.ts"
import { hasEnded, type PaymentIntent } from "./PaymentIntent.ts"
import { remaining } from "./Refunded.ts"
import type { RequestEvent } from "./RequestPayment.ts"
import { takenAmount } from "./Taken.ts"

/**
 * The meaning of a genuine callback for an intent: moves to make, nothing, late money to give back,
 * late money that refunds give back as a whole (`covered`), or a contradiction of what we know.
 */
export type Meaning<Event> =
  | { readonly type: "moves"; readonly events: ReadonlyArray<Event> }
  | { readonly type: "nothing" }
  | { readonly type: "late"; readonly action: "release" | "refund" }
  | { readonly type: "covered" }
  | { readonly type: "contradiction" }

const nothing = { type: "nothing" } as const
const contradiction = { type: "contradiction" } as const

/** The failure's code and message for a trade status. */
const FAILURES: { readonly [S in TradeStatus]?: readonly [code: string, message: string] } = {
  REJECTED: ["PAYMENT_REJECTED", "The payer rejected the payment in the wallet."],
  INSUFFICIENT_BALANCE: ["INSUFFICIENT_BALANCE", "The payer's wallet does not hold enough."],
  CLOSED: ["CHANNEL_CLOSED", "The channel closed the charge before it was paid."],
  SETTLEMENT_FAILED: ["SETTLEMENT_FAILED", "The channel could not settle the captured payment."],
}

const failure = (status: TradeStatus) => {
  const [code, message] = FAILURES[status] ?? ["CHANNEL_ERROR", "The channel reported a failure."]
  return { code, message }
}

/** Returns how to give back the money that a status reports as held or taken. */
const givenBackBy = (status: TradeStatus): "release" | "refund" | undefined =>
  status === "AUTHORIZED" ? "release" : status === "SUCCESS" ? "refund" : undefined

const late = (status: TradeStatus): Meaning<never> => {
  const action = givenBackBy(status)
  return action === undefined ? nothing : { type: "late", action }
}

/**
 * Returns whether the callback is about a charge other than the one that the payer chose, or a
 * trade other than the one that pays it. One payment is paid once.
 */
const isOther = (intent: PaymentIntent, callback: ChannelCallback): boolean =>
  (intent.channel !== null && intent.channel !== callback.channel) ||
  (intent.trade_no !== null && intent.trade_no !== callback.trade_no)

/** Returns what a callback means for a payment that is settled. */
const afterSuccess = (status: TradeStatus): Meaning<never> =>
  status === "SETTLEMENT_FAILED" ? contradiction : nothing

/**
 * Returns what a callback means for a payment that has ended. The ending itself releases the hold
 * of the payment's own authorization. All other money came too late, except what refunds of the
 * payment give back already.
 */
const afterTheEnd = (intent: PaymentIntent, callback: ChannelCallback): Meaning<never> => {
  const { trade_no, trade_status } = callback
  if (trade_status === "AUTHORIZED" && intent.trade_no === trade_no) return nothing
  if (trade_status === "SUCCESS" && remaining(intent) === 0) return { type: "covered" }
  return late(trade_status)
}

const OF_CAPTURED: ReadonlySet<TradeStatus> = new Set(["SUCCESS", "SETTLEMENT_FAILED"])

/**
 * Returns the amount that a callback must state. A callback about a captured payment states the
 * captured amount. A callback about a hold or another trade states the whole amount.
 */
export const amountOf = (intent: PaymentIntent, callback: ChannelCallback): Money =>
  OF_CAPTURED.has(callback.trade_status) && !isOther(intent, callback)
    ? takenAmount(intent)
    : intent.amount

/**
 * Returns how much of a callback's late money goes back: all of it, but of the payment's own trade
 * only what no refund gives back. A payment that could not be settled may have been refunded in
 * part.
 */
export const lateAmount = (intent: PaymentIntent, callback: ChannelCallback): Money => {
  const { currency, value } = amountOf(intent, callback)
  return { currency, value: isOther(intent, callback) ? value : value - intent.refunded.value }
}

/** Returns a contradiction if the callback's channel, amount or currency is not the payment's. */
export const mismatch = (
  intent: PaymentIntent,
  callback: ChannelCallback,
  currencies: CurrencyTable,
): Contradiction | undefined => {
  if (chargeAt(intent, callback.channel) === undefined) {
    const expected = intent.offers.map(({ channel }) => channel).join(", ") || `${intent.channel}`
    return { kind: "channel_mismatch", expected, actual: callback.channel }
  }
  const { currency, total_amount: amount } = callback
  return amountMismatch(amountOf(intent, callback), { amount, currency }, currencies)
}

/**
 * Returns the events from a state to scanning or authorized, with the states skipped in between.
 */
const towards = (
  status: PaymentIntent["status"],
  target: "scanning" | "authorized",
  at: Timestamp,
): ReadonlyArray<RequestEvent> => {
  const path: ReadonlyArray<readonly [from: string, event: RequestEvent]> = [
    ["pending", { type: "qr_created" }],
    ["qr_generated", { type: "scanned", at }],
    ["scanning", { type: "authorized", at }],
  ]
  const start = path.findIndex(([from]) => from === status)
  if (start === -1) return []
  return path.slice(start, target === "scanning" ? 2 : 3).map(([, event]) => event)
}

/**
 * Decides what a callback means for a Request Payment at `at` (Channel callback). It first looks
 * for money of another trade or of an ended payment, then at what each status can still move.
 */
export const forRequestPayment = (
  intent: PaymentIntent,
  callback: ChannelCallback,
  at: Timestamp,
): Meaning<RequestEvent> => {
  const status = callback.trade_status
  if (isOther(intent, callback)) return late(status)
  if (intent.status === "succeeded") return afterSuccess(status)
  if (hasEnded(intent)) return afterTheEnd(intent, callback)
  const open = intent.channel === null && intent.offers.length > 1
  // One of several charges is gone: the payer can still choose another.
  if (open && status === "CLOSED") return nothing
  const moves = (events: ReadonlyArray<RequestEvent>): Meaning<RequestEvent> =>
    events.length === 0 ? nothing : { type: "moves", events }
  const settled: RequestEvent = { type: "settled", trade_no: callback.trade_no, at }
  const unsettled: RequestEvent = { type: "settlement_failed", ...failure(status), at }
  switch (status) {
    case "SCANNED":
      return moves(towards(intent.status, "scanning", at))
    case "AUTHORIZED":
      return moves(towards(intent.status, "authorized", at))
    case "SUCCESS":
      if (intent.status === "captured") return moves([settled])
      if (intent.status === "capturing") return moves([{ type: "captured", at }, settled])
      return contradiction
    case "SETTLEMENT_FAILED":
      if (intent.status === "captured") return moves([unsettled])
      // Like SUCCESS, it reports our own capture before the capture's answer has arrived.
      if (intent.status === "capturing") return moves([{ type: "captured", at }, unsettled])
      return contradiction
    default:
      return intent.status === "capturing" || intent.status === "captured"
        ? nothing
        : moves([{ type: "failed", ...failure(status), at }])
  }
}

/** Returns what a callback means during our own debit. Only the debit's answer can decline it. */
const whileDebiting = (callback: ChannelCallback, at: Timestamp): Meaning<OneTimeEvent> =>
  callback.trade_status === "SUCCESS"
    ? { type: "moves", events: [{ type: "debited", trade_no: callback.trade_no, at }] }
    : nothing

/** Decides what a callback means for a One-Time payment at `at`. */
export const forOneTimePay = (
  intent: PaymentIntent,
  callback: ChannelCallback,
  at: Timestamp,
): Meaning<OneTimeEvent> => {
  const status = callback.trade_status
  if (isOther(intent, callback)) return late(status)
  if (intent.status === "debiting") return whileDebiting(callback, at)
  if (intent.status === "completed") return afterSuccess(status)
  if (hasEnded(intent)) return afterTheEnd(intent, callback)
  switch (status) {
    case "SCANNED":
      return nothing
    case "AUTHORIZED":
      return intent.trade_no === null ? { type: "moves", events: [{ type: "held" }] } : nothing
    case "SUCCESS":
      return { type: "moves", events: [{ type: "paid", trade_no: callback.trade_no, at }] }
    case "SETTLEMENT_FAILED":
      return contradiction
    default:
      return { type: "moves", events: [{ type: "failed", ...failure(status), at }] }
  }
}
