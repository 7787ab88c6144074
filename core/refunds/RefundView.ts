import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import type { Money } from "../shared/Money.ts"
import {
  type Revocation,
  type RevocationsView,
  revocationsView,
} from "../revocations/Revocation.ts"
import { toIso } from "../shared/Timestamp.ts"
import type { Refund } from "./Refund.ts"
import { remaining } from "../payments/Refunded.ts"

/** A refund as the participants of its payment see it (Refund). */
export interface RefundView extends RevocationsView {
  readonly id: string
  readonly payment_intent: string
  readonly amount: Money
  readonly status: Refund["status"]
  readonly reason: string | null
  readonly description: string | null
  readonly channel: string
  /** What the payee gave back of its settlement, and got back of its fee: for the payee only. */
  readonly settlement?: Money
  readonly service_fee?: Money
  readonly remaining_refundable?: Money
  readonly channel_reason?: string
  readonly created_at: string
  readonly updated_at: string
}

/**
 * The refund in the wire's shape, as the account `viewer` sees it. What can still be refunded is
 * what the payment has left now; it is told with partial refunds.
 */
export const view = (
  refund: Refund,
  intent: PaymentIntent,
  viewer: string,
  revocations: ReadonlyArray<Revocation>,
): RefundView => ({
  id: refund.id,
  payment_intent: refund.payment_intent,
  amount: refund.amount,
  status: refund.status,
  reason: refund.reason,
  description: refund.description,
  channel: refund.channel,
  ...(viewer === refund.payee_account_id && {
    settlement: refund.settlement,
    service_fee: refund.service_fee,
  }),
  ...(refund.partial && {
    remaining_refundable: { currency: intent.amount.currency, value: remaining(intent) },
  }),
  ...(refund.status === "failed" && { channel_reason: refund.channel_reason }),
  ...revocationsView(revocations),
  created_at: toIso(refund.created_at),
  updated_at: toIso(refund.updated_at),
})
