import { Clock, Context, Effect } from "effect"
import type { ChannelRequest } from "../gateway/ChannelRequest.ts"
import type { TradeAnswer } from "../gateway/Charge.ts"
import { holdsReturnsOf, isReturn, type ReturnHold } from "../gateway/ReturnHold.ts"
import { Channels } from "../ports/Channels.ts"
import { Store } from "../ports/Store.ts"
import { MINUTE } from "../shared/Timestamp.ts"

/** Whose returns wait for an operator; undefined if nobody's do. */
export const CurrentReturnHold = Context.Reference<ReturnHold | undefined>(
  "payport/core/dispatch/CurrentReturnHold",
  { defaultValue: () => undefined },
)

/** How long a held return waits until it is looked at again, in milliseconds. */
const LOOK_AGAIN = 15 * MINUTE

/** Returns what a channel says about a charge, for an operator. */
const saidOf = (answer: TradeAnswer) =>
  answer.type === "known"
    ? {
        status: answer.trade.status,
        amount: answer.trade.amount,
        ...("refunded" in answer.trade && { refunded: answer.trade.refunded }),
      }
    : { status: answer.type }

/**
 * Lets a return wait if an operator holds those of its payment, and logs it with what the channel's
 * books say. The channel is only queried, and of the request only its due time changes. Returns
 * whether it waits. Fails with `Conflict` if the request changes meanwhile.
 */
export const holdReturn = Effect.fnUntraced(function* (hold: ReturnHold, request: ChannelRequest) {
  if (!isReturn(request) || !("due_at" in request)) return false
  const store = yield* Store
  const payment = yield* store.find("payment_intent", request.payment_intent)
  if (payment === undefined || !holdsReturnsOf(hold, payment)) return false
  const { action, amount, channel, charge_id, payment_intent } = request
  const out_trade_no = payment_intent
  const answer = yield* (yield* Channels).query({ channel, out_trade_no, charge_id })
  yield* Effect.logWarning("A return is held.", {
    payment_intent,
    status: payment.status,
    action,
    channel,
    amount,
    channel_says: saidOf(answer),
  })
  const due_at = (yield* Clock.currentTimeMillis) + LOOK_AGAIN
  yield* store.commit({
    writes: [{ op: "replace", kind: "channel_request", record: { ...request, due_at } }],
  })
  return true
})
