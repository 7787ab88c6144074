import type { PaymentIntent } from "./PaymentIntent.ts"
import { remaining } from "./Refunded.ts"
import { takenAmount, takenOf } from "./Taken.ts"
import type { Money } from "../shared/Money.ts"
import { type Journal, type Line, reversed } from "../ledger/Posting.ts"

/** How far a payment's money has come. */
interface Progress {
  readonly captured: boolean
  readonly settled: boolean
  /** It was captured, and the channel could not settle it. */
  readonly lost: boolean
}

const NOWHERE: Progress = { captured: false, settled: false, lost: false }

const progressOf = (intent: PaymentIntent): Progress => {
  switch (intent.status) {
    case "captured":
      return { captured: true, settled: false, lost: false }
    case "succeeded":
    case "completed":
      return { captured: true, settled: true, lost: false }
    case "failed": {
      const captured = intent.flow === "request_payment" && intent.captured_at !== undefined
      return { captured, settled: false, lost: captured }
    }
    default:
      return NOWHERE
  }
}

const taken = ({ currency, value }: Money): ReadonlyArray<Line> => [
  { ledger_account: "channel_clearing", currency, amount: value },
  { ledger_account: "payer_clearing", currency, amount: -value },
]

/** What a payee sells its payer's money for; the spread is in minor units of the settlement. */
interface Sold {
  readonly amount: Money
  readonly settlement: Money
  readonly fx_spread: number
}

/** Through an exchange, the merchant gets the amount at the mid-market rate less the spread. */
const settled = ({ amount, fx_spread: spread, settlement }: Sold): ReadonlyArray<Line> => {
  const paid: Line = {
    ledger_account: "payer_clearing",
    currency: amount.currency,
    amount: amount.value,
  }
  const { currency, value } = settlement
  const earned: Line = { ledger_account: "merchant_wallet", currency, amount: -value }
  if (amount.currency === currency) return [paid, earned]
  return [
    paid,
    { ledger_account: "fx", currency: amount.currency, amount: -amount.value },
    { ledger_account: "fx", currency, amount: value + spread },
    { ledger_account: "fx_spread", currency, amount: -spread },
    earned,
  ]
}

/** A part of a payment that goes back, with the service's fee on it in minor units. */
interface GivenBack extends Sold {
  readonly service_fee: number
}

/**
 * What refunds of a payment stand against that its channel could not settle: the channel had given
 * their part back before that, so that part counts as settled and charged, as a payment of its own.
 */
const stoodFor = (part: GivenBack): ReadonlyArray<Line> => {
  const { currency } = part.settlement
  return [
    ...settled(part),
    { ledger_account: "fees_due", currency, amount: part.service_fee },
    { ledger_account: "service_fees", currency, amount: -part.service_fee },
  ]
}

/** What of a payment has been refunded or is set aside for that. */
const refundedPart = ({ amount, refunded, settlement }: PaymentIntent): GivenBack => ({
  amount: { currency: amount.currency, value: refunded.value },
  settlement: { currency: settlement.currency, value: refunded.settlement },
  fx_spread: refunded.fx_spread,
  service_fee: refunded.service_fee,
})

const rest = (intent: PaymentIntent): Money => ({
  currency: intent.amount.currency,
  value: remaining(intent),
})

/**
 * What a rejected refund adds to the loss of a payment that could not be settled. The refund's part
 * counted as settled while the refund was pending; now it is lost like the rest of the payment.
 */
export const lostWithRefund = (part: GivenBack): ReadonlyArray<Line> =>
  reversed([...stoodFor(part), ...taken(part.amount)])

const charged = (intent: PaymentIntent): ReadonlyArray<Line> => {
  const { fees } = takenOf(intent)
  if (fees === null) return []
  const { channel, service } = fees
  const { currency } = service
  return [
    { ledger_account: "fees_due", currency, amount: service.value + channel.value },
    { ledger_account: "service_fees", currency, amount: -service.value },
    { ledger_account: "channel_fees", currency, amount: -channel.value },
  ]
}

const journal = (
  intent: Pick<PaymentIntent, "id" | "payee_account_id">,
  channel: string | null,
  kind: Journal["kind"],
  lines: ReadonlyArray<Line>,
): Journal => ({
  kind,
  account_id: intent.payee_account_id,
  channel,
  payment_intent: intent.id,
  refund: null,
  lines,
})

/**
 * What an intent's move means for its payee's books: money that was captured, settled or lost by
 * it, however many states it went through, and the fees of its success (Transaction fees: failed
 * transactions are not charged). Undefined is the state before its creation.
 */
export const journalsOf = (
  before: PaymentIntent | undefined,
  after: PaymentIntent,
): ReadonlyArray<Journal> => {
  const from = before === undefined ? NOWHERE : progressOf(before)
  const to = progressOf(after)
  const journals: Array<Journal> = []
  const add = (kind: Journal["kind"], lines: ReadonlyArray<Line>) =>
    journals.push(journal(after, after.channel, kind, lines))
  if (to.captured && !from.captured) add("captured", taken(takenAmount(after)))
  if (to.settled && !from.settled) {
    const part = takenOf(after)
    add("settled", settled({ ...part, fx_spread: part.fees?.fx_spread.value ?? 0 }))
    add("fees", charged(after))
  }
  if (to.lost && !from.lost) {
    add("settlement_failed", [...stoodFor(refundedPart(after)), ...reversed(taken(rest(after)))])
  }
  return journals
}

/** Money that came too late or twice, in and, once the channel has given it back, out again. */
export const lateMoney = (
  intent: Pick<PaymentIntent, "id" | "payee_account_id">,
  request: { readonly id: string; readonly channel: string; readonly amount: Money },
  way: "in" | "out",
): Journal => ({
  ...(way === "in"
    ? journal(intent, request.channel, "late_payment", taken(request.amount))
    : journal(intent, request.channel, "late_payment_returned", reversed(taken(request.amount)))),
  refund: request.id,
})
