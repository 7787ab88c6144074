// Written independently of the core on purpose: what the interface says about each request that
// cannot be granted, and about each that has been granted before.

import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { find } from "../../../core/channels/Channel.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import type { Model } from "../Model.ts"
import {
  ABSENT,
  type Attempt,
  NO_MOVE,
  NOT_THEIRS,
  recordOf,
  recordsOf,
  type Right,
  SAME,
} from "./attempt.ts"
import { isCaptured, UNSPENT } from "./lifecycle.ts"
import { takenAt } from "./refunds.ts"
import { takenValue } from "./taken.ts"

export const paymentOf = (model: Model, id: string) =>
  model.left.has(id) ? undefined : model.intents.get(id)?.record

type Payment = NonNullable<ReturnType<typeof paymentOf>>

export const isParty = (payment: Payment, account: string): boolean =>
  payment.account_id === account ||
  payment.payee_account_id === account ||
  payment.payer_account_id === account

/** What only the payee of a payment may do with it. */
export const ofPayee =
  (answer: (payment: Payment, asked: Attempt, model: Model) => Right) =>
  (asked: Attempt, model: Model): Right => {
    const payment = paymentOf(model, asked.id)
    if (payment === undefined || !isParty(payment, asked.account)) return ABSENT
    return payment.payee_account_id === asked.account ? answer(payment, asked, model) : NOT_THEIRS
  }

export const amountIn = (sent: Attempt["sent"]) =>
  sent["amount"] as { readonly currency: string; readonly value: number } | undefined

export const captured = (payment: Payment, { sent }: Attempt): Right => {
  const { amount, flow, status } = payment
  if (UNSPENT.has(status)) return NO_MOVE
  if (flow !== "request_payment" || (status !== "captured" && status !== "succeeded")) {
    return undefined
  }
  const asked = amountIn(sent) ?? amount
  const isSame = asked.currency === amount.currency && asked.value === takenValue(payment)
  return isSame ? SAME : NO_MOVE
}

/** What ends a payment: once it has ended otherwise, or is paid, nothing does. */
export const ended =
  (as: "cancelled" | "voided") =>
  ({ status }: Payment): Right => {
    if (status === as) return SAME
    const isOver = UNSPENT.has(status) || status === "captured" || status === "completed"
    return isOver || status === "succeeded" ? NO_MOVE : undefined
  }

/** Everything that stands in the way of a refund; undefined if nothing does. */
export const refunded = (payment: Payment, { at, sent }: Attempt, model: Model): Right => {
  const { channel, id, status } = payment
  const rules = find(defaultCatalog, channel ?? "")?.refunds
  const taken = takenAt(payment)
  if (status === "capturing" || status === "debiting") return undefined
  if (!isCaptured(status) || (payment.flow === "one_time_pay" && status === "succeeded")) {
    return UNSPENT.has(status) ? ["REFUND_NOT_ALLOWED"] : undefined
  }
  if (rules === undefined || taken === undefined) return undefined
  const standing = model.refundsOf(id).filter((one) => one.status !== "failed")
  const whole = takenValue(payment)
  const left = whole - standing.reduce((sum, { amount }) => sum + amount.value, 0)
  const asked = amountIn(sent)
  const value = asked?.value ?? left
  const parts = standing.filter(({ partial }) => partial).length
  const age = at - taken - rules.window_days * DAY
  if (Math.abs(age) <= model.clocksOff) return undefined
  const reasons = [
    asked !== undefined && asked.currency !== payment.amount.currency && "INVALID_AMOUNT",
    age > 0 && "REFUND_WINDOW_EXPIRED",
    (value > left || left === 0) && "REFUND_EXCEEDS_PAYMENT",
    value !== whole && parts >= (rules.max_partial_refunds ?? Infinity) && "REFUND_LIMIT_EXCEEDED",
  ].filter((reason) => reason !== false)
  return reasons.length === 0 ? undefined : reasons
}

/** A buyer asks for a refund: once at a time, and only for what could be refunded. */
export const refundAsked = (asked: Attempt, model: Model): Right => {
  const payment = paymentOf(model, asked.id)
  if (payment === undefined || !isParty(payment, asked.account)) return ABSENT
  if (payment.payee_account_id === asked.account) return NOT_THEIRS
  const requests = [...(recordsOf(model, "refund_request")?.values() ?? [])]
  const isOpen = requests.some(
    (request) => request?.payment_intent === asked.id && request.status === "open",
  )
  return isOpen ? undefined : refunded(payment, asked, model)
}

/** A decision on a refund request that has been decided: by whom it may be. */
export const decided =
  (by: "account_id" | "payee_account_id") =>
  ({ account, id }: Attempt, model: Model): Right => {
    const request = recordOf(model, "refund_request", id)
    const payment = request && paymentOf(model, request.payment_intent)
    if (request === undefined || payment === undefined) return undefined
    if (!isParty(payment, account)) return ABSENT
    if (request[by] !== account) return NOT_THEIRS
    return request.status === "open" ? undefined : NO_MOVE
  }

/** What a refund may fail with where the model does not say which. */
const BY_THE_RULES = [
  "INVALID_AMOUNT",
  "REFUND_EXCEEDS_PAYMENT",
  "REFUND_LIMIT_EXCEEDED",
  "REFUND_NOT_ALLOWED",
  "REFUND_WINDOW_EXPIRED",
]

/** Approving an ended request may also fail as its refund would. */
export const approved = (asked: Attempt, model: Model): Right => {
  const right = decided("payee_account_id")(asked, model)
  if (right !== NO_MOVE) return right
  const request = recordOf(model, "refund_request", asked.id)
  const payment = request && paymentOf(model, request.payment_intent)
  if (payment === undefined) return undefined
  const sent = { amount: amountIn(asked.sent) ?? request?.amount }
  return [...NO_MOVE, ...(refunded(payment, { ...asked, sent }, model) ?? BY_THE_RULES)]
}
