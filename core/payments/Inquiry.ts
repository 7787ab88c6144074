import type { ChannelCallback, TradeStatus } from "../gateway/ChannelCallback.ts"
import type { Trade, TradeAnswer } from "../gateway/Charge.ts"
import type { Currency } from "../shared/Currency.ts"
import { toMajor } from "../shared/Money.ts"
import { type ChannelTask, NOT_FOUND_GRACE } from "../gateway/ChannelRequest.ts"
import { HOUR } from "../shared/Timestamp.ts"
import { hasEnded, REQUEST_LIFETIME, type PaymentIntent } from "./PaymentIntent.ts"

/** What a channel would have told by itself; undefined where its answer is no news. */
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
 * The callback that says what a channel knows of a charge, to be acted upon like one that was
 * received (Channel callback); undefined where it is no news.
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
 * Whether an answer settles what became of a charge. A channel's books may be behind, so
 * `not_found` counts from the second time on.
 */
const isAnswered = ({ channel_asks }: PaymentIntent, { answer }: ChannelAnswer): boolean =>
  answer.type === "known" || (answer.type === "not_found" && (channel_asks ?? 0) > 0)

/**
 * How often the channels were asked, with these answers; null when there is nothing more to ask,
 * because the payment has ended and every channel has answered for its charge.
 */
export const asksAfter = (
  intent: PaymentIntent,
  answers: ReadonlyArray<ChannelAnswer>,
): number | null =>
  hasEnded(intent) && answers.every((one) => isAnswered(intent, one))
    ? null
    : (intent.channel_asks ?? 0) + 1

/** Whether a payer could still pay a charge of which its channel said this a moment ago. */
const mayStillBePaid = (answer: TradeAnswer): boolean =>
  answer.type === "known" ? answer.trade.status === "unpaid" : answer.type === "not_found"

/** After so long no charge can be paid any more, even if a clock was an hour wrong on the way. */
const SURELY_OVER = REQUEST_LIFETIME + NOT_FOUND_GRACE + HOUR

/**
 * Whether a channel's answer about a charge is the last one. What was paid or closed stays so. That
 * a charge is unpaid, or not known, is true of the past, since the channel's books may be behind:
 * it is the last answer when the channel has been asked for so long, in milliseconds that somebody
 * has waited, that the charge is over. The time of day says nothing of that: it may be wrong.
 */
export const isLast = (answer: TradeAnswer, askedFor: number): boolean =>
  answer.type !== "unknown" && (!mayStillBePaid(answer) || askedFor >= SURELY_OVER)

/** Whether a payer was given anything to pay with: an unanswered debit settles itself. */
const wasOffered = (intent: PaymentIntent): boolean =>
  intent.flow === "request_payment" || intent.deeplink !== null

/**
 * The charges of an expired payment that have to be closed when the last question is answered. That
 * a charge is unpaid, or not known yet, is true of the past: the clock that ended the payment may
 * be ahead of the channel's, and the channel's books may be behind. Only a charge that is closed
 * stays unpaid.
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
