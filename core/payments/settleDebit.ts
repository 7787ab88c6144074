import { Effect, Result } from "effect"
import type { ChannelRequest } from "../gateway/ChannelRequest.ts"
import { type ChannelOutcome, Channels } from "../ports/Channels.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { consequences } from "./consequences.ts"
import { deepLink } from "./deepLink.ts"
import { discrepancy, othersTrade, tradeKey } from "./discrepancies.ts"
import { stepTime } from "./Lifecycle.ts"
import * as OneTimePay from "./OneTimePay.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"

type Debiting = Extract<PaymentIntent, { status: "debiting" }>

/** What becomes of a declined payment: its person is asked by a deep link, while there is time. */
const afterDecline = Effect.fnUntraced(function* (
  intent: Debiting,
  request: ChannelRequest,
  at: Timestamp,
) {
  if (at >= intent.expires_at) return { type: "debit_declined", deeplink: null } as const
  const { amount, description, expires_at, id } = intent
  const { channel } = request
  const made = yield* Effect.result(
    (yield* Channels).createDeepLink({
      channel,
      out_trade_no: id,
      charge_id: id,
      amount,
      description,
      expires_at,
    }),
  )
  if (Result.isSuccess(made)) {
    return { type: "debit_declined", deeplink: deepLink(id, amount, channel) } as const
  }
  const message = `The debit was declined, and no link was made: ${made.failure.message}`
  return { type: "failed", code: "CHANNEL_ERROR", message, at } as const
})

const eventOf = (
  intent: Debiting,
  request: ChannelRequest,
  outcome: ChannelOutcome,
  at: Timestamp,
): Effect.Effect<OneTimePay.OneTimeEvent, never, Channels> => {
  switch (outcome.type) {
    case "done":
      return Effect.succeed({ type: "debited", trade_no: outcome.trade_no, at })
    case "refused":
      return afterDecline(intent, request, at)
    default:
      return Effect.succeed({ type: "debit_unknown" })
  }
}

const NOT_ITS_OWN = "The channel answered the debit with a trade that pays another payment."

/**
 * A debit that its channel answers with the trade of another payment. Whose money that is cannot be
 * found out by asking again: the payment fails, nothing is closed or sent back under that trade,
 * and reconciliation is told.
 */
export const misattributed = Effect.fnUntraced(function* (
  request: ChannelRequest,
  intent: PaymentIntent | undefined,
  trade_no: string,
  now: Timestamp,
) {
  if (intent?.status !== "debiting" || intent.debit_request !== request.id) return undefined
  const at = stepTime(intent, now)
  const failed = { type: "failed", code: "CHANNEL_ERROR", message: NOT_ITS_OWN, at } as const
  const moved = OneTimePay.machine.step(intent, failed)
  if (Result.isFailure(moved)) return undefined
  const { keys, ...change } = yield* consequences(intent, moved.success, [], now)
  const told = { channel: request.channel, trade_no, trade_status: "SUCCESS" }
  const noted = yield* discrepancy(intent, told, othersTrade(intent, trade_no), now)
  return { intent: moved.success.record, change, keys, noted }
})

/** What is written down of a request that ends so: it is over, and asked after no more. */
export const asRefused = { type: "refused", message: NOT_ITS_OWN } as const

/**
 * What the outcome of its debit does to a payment (One-Time Pay, auto-pay): it is completed, falls
 * back to its deep link, or goes on waiting. Undefined where the outcome is no news to it. The link
 * is made before the decline is stored: a crash between has it made again, under the same number.
 */
export const settleDebit = Effect.fnUntraced(function* (
  request: ChannelRequest,
  intent: PaymentIntent | undefined,
  outcome: ChannelOutcome,
  now: Timestamp,
) {
  if (request.action !== "debit" || intent?.status !== "debiting") return undefined
  if (intent.debit_request !== request.id) return undefined
  const event = yield* eventOf(intent, request, outcome, stepTime(intent, now))
  if (event.type === "debit_unknown" && intent.channel_outcome === "unknown") return undefined
  const trade_no = event.type === "debited" ? event.trade_no : intent.trade_no
  const moved = OneTimePay.machine.step({ ...intent, trade_no }, event)
  if (Result.isFailure(moved)) return undefined
  // A link may have been made before: by an attempt whose answer or commit was lost.
  const { channel } = request
  const tasks =
    event.type === "failed" ? [{ action: "close", channel, charge_id: intent.id } as const] : []
  const { keys, ...change } = yield* consequences(intent, moved.success, tasks, now)
  const claims =
    trade_no === null
      ? []
      : [{ op: "claim", key: tradeKey(request.channel, trade_no), owner: intent.id } as const]
  return { intent: moved.success.record, change, keys: [...keys, ...claims] }
})
