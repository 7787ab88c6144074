import { Effect } from "effect"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { Store } from "../ports/Store.ts"
import type { Refund } from "./Refund.ts"
import { view } from "./RefundView.ts"

/** Returns the refund with its revocations, as the account `viewer` sees it. */
export const showRefund = Effect.fnUntraced(function* (
  refund: Refund,
  intent: PaymentIntent,
  viewer: string,
) {
  const revocations = yield* (yield* Store).list("revocation", { by: { refund: refund.id } })
  return view(refund, intent, viewer, revocations)
})
