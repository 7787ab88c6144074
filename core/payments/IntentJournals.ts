import type { PaymentIntent } from "./PaymentIntent.ts"
import { remaining } from "./Refunded.ts"
import { takenAmount, takenOf } from "./Taken.ts"
import type { Money } from "../shared/Money.ts"
import { type Journal, type Line, reversed } from "../ledger/Posting.ts"

/** The progress of a payment's money. */
interface Progress {
  readonly captured: boolean
  readonly settled: boolean
  /** Whether the payment was captured and the channel could not settle it. */
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

/** A payer's amount and its settlement. The spread is in minor units of the settlement. */
interface Sold {
  readonly amount: Money
  readonly settlement: Money
  readonly fx_spread: number
}

/** Returns the lines of a settlement. An exchange pays the mid-market value less the spread. */
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

/** A part of a payment that is given back, with its service fee in minor units. */
interface GivenBack extends Sold {
  readonly service_fee: number
}

/**
 * Returns the lines for the refunded part of a payment that its channel could not settle. The
 * channel had given that part back before, so it counts as settled and charged, like a payment of
 * its own.
 */
const stoodFor = (part: GivenBack): ReadonlyArray<Line> => {
  const { currency } = part.settlement
  return [
    ...settled(part),
    { ledger_account: "fees_due", currency, amount: part.service_fee },
    { ledger_account: "service_fees", currency, amount: -part.service_fee },
  ]
}

/** Returns the part of a payment that has been refunded or is set aside for a refund. */
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
 * Returns what a rejected refund adds to the loss of a payment that could not be settled. The
 * refund's part counted as settled while the refund was pending. Now it is lost like the rest of
 * the payment.
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
 * Returns the journals that an intent's move adds to its payee's books: money captured, settled or
 * lost, through any number of states, and the fees of a success (Transaction fees: failed
 * transactions are not charged). `before` is undefined for a creation.
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

/** Returns the journal of money that came too late or twice: its arrival, or its return. */
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
