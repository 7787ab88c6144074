import type { ChannelCallback, TradeStatus } from "../gateway/ChannelCallback.ts"
import type { Trade, TradeAnswer } from "../gateway/Charge.ts"
import type { Currency } from "../shared/Currency.ts"
import { type Money, toMajor } from "../shared/Money.ts"
import {
  type ChannelRequest,
  type ChannelTask,
  NOT_FOUND_GRACE,
} from "../gateway/ChannelRequest.ts"
import { HOUR } from "../shared/Timestamp.ts"
import { hasEnded, REQUEST_LIFETIME, type PaymentIntent } from "./PaymentIntent.ts"

/** Returns the callback status that a trade stands for, or undefined if the trade is no news. */
const newsOf = (intent: PaymentIntent, trade: Trade): TradeStatus | undefined => {
  switch (trade.status) {
    case "unpaid":
      return undefined
    case "held":
      return "AUTHORIZED"
    case "closed":
      return trade.reason
    case "paid":
      // Our own capture, which is settled later.
      if (intent.status === "capturing" || intent.status === "captured") return undefined
      return trade.refunded === 0 ? "SUCCESS" : undefined
    case "settled":
      return hasEnded(intent) && trade.refunded > 0 ? undefined : "SUCCESS"
  }
}

/**
 * Returns the callback that reports a channel's answer about a charge, or undefined if the answer
 * is no news. It is handled like a received callback (Channel callback).
 */
export const callbackOf = (
  intent: PaymentIntent,
  channel: string,
  trade: Trade,
  currency: Currency,
): ChannelCallback | undefined => {
  const trade_status = newsOf(intent, trade)
  if (trade_status === undefined) return undefined
  return {
    channel,
    out_trade_no: trade.out_trade_no,
    trade_no: trade.trade_no ?? intent.trade_no ?? "",
    total_amount: toMajor(trade.amount, currency),
    trade_status,
    currency: trade.amount.currency,
    ...("payer" in trade && trade.payer),
  }
}

/** A charge, and what its channel answered about it. */
export interface ChannelAnswer {
  readonly charge: Pick<ChannelTask, "channel" | "charge_id">
  readonly answer: TradeAnswer
}

/**
 * Returns whether an answer settles what became of a charge. A channel's books may be behind, so
 * `not_found` counts from the second time on.
 */
const isAnswered = ({ channel_asks }: PaymentIntent, { answer }: ChannelAnswer): boolean =>
  answer.type === "known" || (answer.type === "not_found" && (channel_asks ?? 0) > 0)

/**
 * Returns how often the channels were asked, including these answers. Returns null when nothing is
 * left to ask: the payment has ended and every channel has answered for its charge.
 */
export const asksAfter = (
  intent: PaymentIntent,
  answers: ReadonlyArray<ChannelAnswer>,
): number | null =>
  hasEnded(intent) && answers.every((one) => isAnswered(intent, one))
    ? null
    : (intent.channel_asks ?? 0) + 1

/** Returns whether a payer could still pay a charge after this answer. */
const mayStillBePaid = (answer: TradeAnswer): boolean =>
  answer.type === "known" ? answer.trade.status === "unpaid" : answer.type === "not_found"

/** After this time no charge can be paid, even if a clock was wrong by an hour. */
const SURELY_OVER = REQUEST_LIFETIME + NOT_FOUND_GRACE + HOUR

/**
 * Returns whether a channel's answer about a charge is the last one. A paid or closed charge stays
 * so. An unpaid or unknown charge is true of the past, because the channel's books may be behind.
 * Such an answer is the last one when `askedFor`, the milliseconds spent waiting, shows that the
 * charge is over. The time of day is not used, because it may be wrong.
 */
export const isLast = (answer: TradeAnswer, askedFor: number): boolean =>
  answer.type !== "unknown" && (!mayStillBePaid(answer) || askedFor >= SURELY_OVER)

/**
 * Returns whether an answer about a hold that its channel refuses to release may be outdated. A
 * hold that is still there could be released, so the channel's books are behind.
 */
export const isOutdated = (answer: TradeAnswer, askedFor: number): boolean =>
  askedFor < SURELY_OVER &&
  (answer.type === "unknown" || (answer.type === "known" && answer.trade.status === "held"))

/**
 * Returns what a channel has of a hold that it refuses to release, at most the hold: a capture that
 * it has refused may have taken a part. Returns the whole hold if the answer does not say.
 */
export const leftOf = (
  { amount, trade_no }: Pick<ChannelRequest, "amount" | "trade_no">,
  answer: TradeAnswer,
): Money => {
  if (answer.type !== "known") return amount
  const { trade } = answer
  const isTaken = trade.status === "paid" || trade.status === "settled"
  if (!isTaken || trade.amount.currency !== amount.currency) return amount
  if (trade_no !== null && trade.trade_no !== trade_no) return amount
  return { ...amount, value: Math.min(amount.value, trade.amount.value - trade.refunded) }
}

/** Returns whether a payer was given anything to pay with. An unanswered debit settles itself. */
const wasOffered = (intent: PaymentIntent): boolean =>
  intent.flow === "request_payment" || intent.deeplink !== null

/**
 * Returns the charges of an expired payment to close after the last answer. An unpaid or unknown
 * charge is true of the past: our clock may be ahead of the channel's, and the channel's books may
 * be behind. Only a closed charge stays unpaid.
 */
export const toClose = (
  intent: PaymentIntent,
  answers: ReadonlyArray<ChannelAnswer>,
): ReadonlyArray<ChannelTask> =>
  intent.status !== "expired" || intent.channel_asks !== null
    ? []
    : answers.flatMap(({ answer, charge: { channel, charge_id } }): ReadonlyArray<ChannelTask> =>
        mayStillBePaid(answer) && (answer.type === "known" || wasOffered(intent))
          ? [{ action: "close", channel, charge_id }]
          : [],
      )
