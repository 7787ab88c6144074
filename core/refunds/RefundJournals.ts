import type { Refund } from "./Refund.ts"
import { lostWithRefund } from "../payments/IntentJournals.ts"
import { type Journal, type Line, reversed } from "../ledger/Posting.ts"

type Part = Pick<Refund, "amount" | "settlement" | "fx_spread" | "service_fee">

/** Returns the lines that set a refund aside from the merchant's wallet. */
const reserved = ({ settlement: { currency, value } }: Part): ReadonlyArray<Line> => [
  { ledger_account: "merchant_wallet", currency, amount: value },
  { ledger_account: "refunds", currency, amount: -value },
]

/** Returns the lines that pay out what was set aside, the reverse of the payment's settlement. */
const paidOut = ({ amount, fx_spread, settlement }: Part): ReadonlyArray<Line> => {
  const { currency, value } = settlement
  const aside: Line = { ledger_account: "refunds", currency, amount: value }
  const out: Line = {
    ledger_account: "channel_clearing",
    currency: amount.currency,
    amount: -amount.value,
  }
  if (amount.currency === currency) return [aside, out]
  return [
    aside,
    { ledger_account: "fx_spread", currency, amount: fx_spread.value },
    { ledger_account: "fx", currency, amount: -value - fx_spread.value },
    { ledger_account: "fx", currency: amount.currency, amount: amount.value },
    out,
  ]
}

const feeBack = ({ service_fee: { currency, value } }: Part): ReadonlyArray<Line> => [
  { ledger_account: "service_fees", currency, amount: value },
  { ledger_account: "fees_due", currency, amount: -value },
]

/** Returns the lines for a rejected refund of a payment that was lost: its part is lost, too. */
const lostPart = ({ amount, fx_spread, service_fee, settlement }: Part) =>
  lostWithRefund({
    amount,
    settlement,
    fx_spread: fx_spread.value,
    service_fee: service_fee.value,
  })

/**
 * Returns what a refund's state adds to its payee's books (Money and fees). When it begins, it is
 * set aside. When it succeeds, it reverses the payment's own rows in proportion, and the service's
 * fee is given back. The channel's fee is not. When it fails, the money returns to the wallet.
 * `paymentLost` means that the payment could not be settled meanwhile: the part of a failed refund
 * is then lost with the rest.
 */
export const refundJournals = (refund: Refund, paymentLost: boolean): ReadonlyArray<Journal> => {
  const about = {
    account_id: refund.payee_account_id,
    channel: refund.channel,
    payment_intent: refund.payment_intent,
    refund: refund.id,
  }
  switch (refund.status) {
    case "pending":
      return [{ ...about, kind: "refund_reserved", lines: reserved(refund) }]
    case "succeeded":
      return [
        { ...about, kind: "refund_succeeded", lines: paidOut(refund) },
        { ...about, kind: "fees_refunded", lines: feeBack(refund) },
      ]
    case "failed": {
      const failed: Journal = { ...about, kind: "refund_failed", lines: reversed(reserved(refund)) }
      const lost: Journal = { ...about, kind: "settlement_failed", lines: lostPart(refund) }
      return paymentLost ? [failed, lost] : [failed]
    }
  }
}
