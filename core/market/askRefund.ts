import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { getIntent } from "../payments/getIntent.ts"
import { Store } from "../ports/Store.ts"
import { createRefundRequest, wholeRefund } from "../refundRequests/createRefundRequest.ts"
import { refundRequestView } from "../refundRequests/RefundRequestView.ts"
import type { MarketInput } from "./MarketInput.ts"
import { nextFor, type Asked } from "./Receipt.ts"

/**
 * Finds the caller's own open refund request for the same amount, since models repeat calls. An
 * omitted amount is all that can be refunded, which may be less by now, or nothing.
 */
const askedBefore = Effect.fnUntraced(function* (
  caller: Caller,
  payment_intent: string,
  amount: number | undefined,
) {
  const open = yield* (yield* Store).findBy("refund_request", { payment_intent })
  if (open?.account_id !== caller.account.id) return undefined
  const isSame =
    amount === undefined
      ? open.amount.value >= ((yield* wholeRefund(caller, payment_intent)) ?? 0)
      : open.amount.value === amount
  return isSame ? refundRequestView(open) : undefined
})

/**
 * Asks the payee for a refund. The same request again returns the open refund request.
 *
 * Fails as `createRefundRequest` does.
 */
export const askRefund = Effect.fn("askRefund")(function* (
  caller: Caller,
  { amount: value, payment_id, reason }: MarketInput<"request_refund">,
) {
  const payment = yield* getIntent(caller, payment_id)
  const before = yield* askedBefore(caller, payment.id, value)
  const { currency } = payment.amount
  const asked: Asked =
    before ??
    (yield* createRefundRequest(caller, {
      payment_intent: payment.id,
      reason,
      ...(value !== undefined && { amount: { currency, value } }),
    }))
  return {
    ...(before !== undefined && { replayed: true }),
    payment_id: payment.id,
    refund_request: { id: asked.id, status: asked.status, amount: asked.amount },
    decided_until: asked.expires_at,
    next: nextFor({ payment, asked }),
  }
})
