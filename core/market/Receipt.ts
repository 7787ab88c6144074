import { saidLine } from "../agents/SafeText.ts"
import type { InvoiceView } from "../invoices/InvoiceView.ts"
import type { IntentView } from "../payments/IntentView.ts"
import type { RefundRequestView } from "../refundRequests/RefundRequestView.ts"
import type { RefundView } from "../refunds/RefundView.ts"
import { LONGEST_WAIT } from "./Patience.ts"

/** A refund request as its parties see it. */
export type Asked = typeof RefundRequestView.Type

/** The fields of a refund that a buyer needs. */
export type Given = Pick<typeof RefundView.Type, "amount" | "created_at" | "id" | "status">

/** What a buyer needs to know about the invoice of a payment that has ended unpaid. */
export interface Billed extends Pick<typeof InvoiceView.Type, "id" | "status"> {
  /** Whether the caller's account is the one that owes it. */
  readonly isOwn: boolean
}

/**
 * A payment with its newest refund request and its newest refund, and its invoice if it has ended
 * unpaid.
 */
export interface Known {
  readonly payment: IntentView
  readonly asked?: Asked | undefined
  readonly given?: Given | undefined
  readonly invoice?: Billed | undefined
}

const PAID: ReadonlySet<IntentView["status"]> = new Set(["captured", "succeeded", "completed"])

/** Tells whether a payment was made, even if it was refunded later. */
export const isPaid = ({ status }: Pick<IntentView, "status">): boolean => PAID.has(status)

/** What makes a call of a tool another purchase, and not a repetition. */
export const ANEW = "an idempotency_key that you have not used"

const WAIT = `call get_payment with wait_seconds ${LONGEST_WAIT}`

const linkOf = ({ deeplink, qr, status }: IntentView): { readonly link?: string } => {
  if (status === "pending" && deeplink !== undefined) return { link: deeplink }
  const isOpen = ["pending", "qr_generated", "scanning"].includes(status)
  return isOpen && qr?.scan_url !== undefined ? { link: qr.scan_url } : {}
}

/** How a payment that has ended unpaid ended, by its status. */
const ENDINGS: { readonly [S in IntentView["status"]]?: string } = {
  failed: "The payment failed.",
  expired: "Nobody paid in time.",
  cancelled: "The payment was cancelled.",
  voided: "The payment was cancelled.",
}

/** Tells whether a payment has ended without paying. */
export const isUnpaidEnd = ({ status }: Pick<IntentView, "status">): boolean =>
  ENDINGS[status] !== undefined

/** What to do about the invoice of a payment that has ended. The end leaves the invoice owed. */
const owedNext = ({ id, isOwn, status }: Billed): string => {
  if (status === "paid") return "Another payment has paid its invoice. Nothing is owed."
  if (status === "void") return "Its invoice was voided. Nothing is owed."
  return isOwn
    ? `Its invoice is still owed. Do not buy again: call pay with invoice_id ${id} for a new link.`
    : "Its invoice is still owed by the buyer."
}

/**
 * What to do about a payment that has ended unpaid. The same call again, within a minute or under
 * the same key, would return this payment.
 */
const endedNext = (ending: string, { invoice, payment }: Known): string => {
  if (invoice !== undefined) return `${ending} ${owedNext(invoice)}`
  const who = payment.status === "failed" ? "ask the person, then " : ""
  const what = payment.status === "expired" ? " for a new link" : ""
  return `${ending} Nothing is owed. To buy it anyway, ${who}call pay with ${ANEW}${what}.`
}

/** Returns the next step for an unpaid payment, by its status. */
const unpaidNext = (known: Known): string => {
  const { payment } = known
  if (payment.channel_outcome === "unknown") {
    return `The wallet has not answered yet. Do not pay again, but ${WAIT}.`
  }
  const ending = ENDINGS[payment.status]
  if (ending !== undefined) return endedNext(ending, known)
  if (payment.status === "authorized") {
    return `The person has authorized it. The seller captures it when it delivers: ${WAIT}.`
  }
  return linkOf(payment).link === undefined
    ? `Not paid yet: ${WAIT}.`
    : `Not paid yet: give the link to the person who pays, then ${WAIT}.`
}

const DECISIONS: { readonly [S in Exclude<Asked["status"], "approved">]: string } = {
  open: `The seller has not decided about the refund yet: ${WAIT}.`,
  declined: "The seller declined the refund. Its reason is in seller_says.",
  withdrawn: "The refund request was withdrawn. Nothing more to do.",
  expired: "The seller did not decide in time. Call request_refund to ask again.",
}

const refundNext = ({ status }: Given): string => {
  if (status === "succeeded") return "The refund succeeded: the payer has the money back."
  return status === "failed"
    ? "The refund failed: the wallet refused it. Call request_refund to ask again."
    : `The refund is in progress: ${WAIT}.`
}

/** Returns the next step for a payment with its refunds. */
export const nextFor = (known: Known): string => {
  const { asked, given, payment } = known
  if (!isPaid(payment)) return unpaidNext(known)
  const { created_at, status = "approved" } = asked ?? {}
  const isGivenLater = given !== undefined && given.created_at > (created_at ?? "")
  if (status !== "approved" && !isGivenLater) return DECISIONS[status]
  return given === undefined
    ? "Paid: nothing more to do. To ask the seller for money back, call request_refund."
    : refundNext(given)
}

/**
 * Tells whether nothing can change any more: the payment has ended and no refund is in progress.
 */
export const isSettled = ({ asked, given, payment }: Known): boolean => {
  const isOver = ["completed", "succeeded"].includes(payment.status) || isUnpaidEnd(payment)
  return isOver && asked?.status !== "open" && given?.status !== "pending"
}

const invoiceOf = ({ invoice }: IntentView) =>
  invoice === undefined ? {} : { invoice_id: invoice }

/** Shows a payment in a list, without next step and refunds. */
export const paymentLine = (payment: IntentView) => ({
  payment_id: payment.id,
  service_id: payment.service_id,
  status: payment.status,
  paid: isPaid(payment),
  amount: payment.amount,
  ...invoiceOf(payment),
  created_at: payment.created_at,
})

const refundOf = ({ asked, given }: Known) => ({
  ...(asked !== undefined && {
    refund_request: {
      id: asked.id,
      status: asked.status,
      amount: asked.amount,
      ...(asked.status === "open" && { decided_until: asked.expires_at }),
      ...(asked.decline_reason !== undefined && {
        seller_says: { reason: saidLine(asked.decline_reason, 256) },
      }),
    },
  }),
  ...(given !== undefined && {
    refund: { id: given.id, status: given.status, amount: given.amount },
  }),
})

/** Shows a payment to an agent, with the next step. */
export const receipt = (known: Known) => {
  const { payment } = known
  const { captured_amount, channel, expires_at, failure_code } = payment
  const link = linkOf(payment)
  return {
    payment_id: payment.id,
    service_id: payment.service_id,
    status: payment.status,
    paid: isPaid(payment),
    amount: payment.amount,
    ...invoiceOf(payment),
    ...(captured_amount !== undefined && { captured_amount }),
    ...(channel !== null && { channel }),
    ...link,
    ...(link.link !== undefined && { expires_at }),
    ...(failure_code !== undefined && { failure_code }),
    ...refundOf(known),
    next: nextFor(known),
  }
}
