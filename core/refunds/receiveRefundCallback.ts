import { Clock, Effect } from "effect"
import { askOnce } from "../gateway/askOnce.ts"
import type { ChannelOutcome } from "../gateway/ChannelCall.ts"
import type { RefundCallback } from "../gateway/ChannelCallback.ts"
import type { ChannelRequest } from "../gateway/ChannelRequest.ts"
import { amountMismatch, type Contradiction, refusal } from "../gateway/Contradiction.ts"
import { type Hear, hearCallback, type Hearing } from "../gateway/hearCallback.ts"
import { noteDiscrepancy } from "../gateway/noteDiscrepancy.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { settleReturn } from "../payments/returnOutcome.ts"
import { Channels } from "../ports/Channels.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import type { CurrencyTable } from "../shared/Currency.ts"
import { notFound } from "../shared/Failure.ts"
import { isId } from "../shared/Id.ts"
import { retryConflict } from "../idempotency/requestKey.ts"
import { settleRefund } from "./refundOutcome.ts"

/** Returns a contradiction if the message's channel or amount is not the request's. */
const refundMismatch = (
  request: Pick<ChannelRequest, "amount" | "channel">,
  callback: RefundCallback,
  currencies: CurrencyTable,
): Contradiction | undefined => {
  if (request.channel !== callback.channel) {
    return { kind: "channel_mismatch", expected: request.channel, actual: callback.channel }
  }
  const { currency, refund_amount: amount } = callback
  return amountMismatch(request.amount, { amount, currency }, currencies)
}

/** Returns a contradiction if the message says the opposite of an earlier one. */
const contradiction = (
  { id, status }: ChannelRequest,
  { refund_status }: RefundCallback,
): Contradiction | undefined => {
  const known = status === "done" ? "SUCCESS" : status === "refused" ? "FAILED" : refund_status
  if (known === refund_status) return undefined
  const expected = `${known} of refund request ${id}`
  return { kind: "status_mismatch", expected, actual: refund_status }
}

const outcomeOf = (
  { failure_reason, refund_status }: RefundCallback,
  tradeNo: string,
  at: number,
): ChannelOutcome =>
  refund_status === "SUCCESS"
    ? { type: "done", at, trade_no: tradeNo }
    : { type: "refused", message: failure_reason ?? "The channel gives no reason." }

const note = (
  intent: PaymentIntent,
  callback: RefundCallback,
  found: Contradiction,
  hearing: Hearing,
  at: number,
) =>
  noteDiscrepancy(
    intent,
    {
      channel: callback.channel,
      trade_no: callback.out_request_no,
      trade_status: callback.refund_status,
    },
    found,
    hearing,
    at,
  )

const apply = Effect.fnUntraced(function* (
  callback: RefundCallback,
  noteCallback: () => Effect.Effect<void>,
  hear: Hear,
) {
  const store = yield* Store
  const { out_request_no: number, out_trade_no } = callback
  const missing = notFound("refund request", number)
  const request = isId("creq", number) ? yield* store.find("channel_request", number) : undefined
  if (request?.action !== "refund" || request.payment_intent !== out_trade_no) {
    return yield* missing
  }
  const intent = yield* store.find("payment_intent", request.payment_intent)
  if (intent === undefined) return yield* missing
  const now = yield* Clock.currentTimeMillis
  const wrong = refundMismatch(request, callback, (yield* Installation).currencies)
  if (wrong !== undefined) {
    yield* note(intent, callback, wrong, hear(intent, "refused", now), now)
    return yield* refusal(wrong)
  }
  const contrary = contradiction(request, callback)
  if (contrary !== undefined) {
    return yield* note(intent, callback, contrary, hear(intent, "contradicts", now), now)
  }
  yield* noteCallback()
  const settle = request.refund === null ? settleReturn : settleRefund
  const hearing = hear(intent, "acted_on", now)
  yield* settle(number, outcomeOf(callback, intent.trade_no ?? "", now), hearing)
})

/**
 * Handles a channel's message about a refund (Refunds and revocations: asynchronous confirmation).
 * A repeated message changes nothing. A message that contradicts an earlier one is noted for
 * reconciliation.
 */
export const actOnRefund = Effect.fnUntraced(function* (callback: RefundCallback) {
  const channels = yield* Channels
  yield* retryConflict(
    apply(
      callback,
      askOnce(() => channels.noteCallback(callback)),
      hearCallback(callback),
    ),
  )
})
