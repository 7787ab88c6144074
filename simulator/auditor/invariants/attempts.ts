// Written independently of the core on purpose: what the interface says about each request that
// cannot be granted, and about each that has been granted before.

import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { find, serves } from "../../../core/channels/Channel.ts"
import type { Invoice } from "../../../core/invoices/Invoice.ts"
import type { Subscription } from "../../../core/invoices/Subscription.ts"
import type { Tab } from "../../../core/invoices/Tab.ts"
import type { Kind } from "../../../core/ports/Store.ts"
import type { RefundRequest } from "../../../core/refundRequests/RefundRequest.ts"
import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import type { Account } from "../../../core/accounts/Account.ts"
import { DAY, type Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Model } from "../Model.ts"
import type { Finding, Observations, Rulebook } from "../Observation.ts"
import { isCaptured, UNSPENT } from "./lifecycle.ts"
import { kept } from "./ownership.ts"
import { takenAt } from "./refunds.ts"
import { takenValue } from "./taken.ts"

/** A request at rest about a record. */
export interface Attempt {
  readonly deed: string
  readonly id: string
  /** The account that sends it. */
  readonly account: string
  readonly sent: { readonly [name: string]: unknown }
  readonly at: Timestamp
}

declare module "../Observation.ts" {
  interface Observations {
    /** A request that cannot change anything, its answer, and how much has been stored for it. */
    readonly attempted: Attempt & {
      /** An error code, or "success". */
      readonly answer: string
      readonly commits: number
    }
  }
}

/** The answers that are right; undefined if the request could have an effect. */
type Right = ReadonlyArray<string> | undefined

const SAME = ["success"]
const ABSENT = ["NOT_FOUND"]
const NOT_THEIRS = ["FORBIDDEN"]
const NO_MOVE = ["INVALID_TRANSITION"]

/** Returns a record as it was committed last. */
const recordOf = <A>(model: Model, kind: Kind, id: string): A | undefined =>
  (model.know(kept).get(kind)?.get(id) ?? undefined) as A | undefined

const paymentOf = (model: Model, id: string) =>
  model.left.has(id) ? undefined : model.intents.get(id)?.record

type Payment = NonNullable<ReturnType<typeof paymentOf>>

const isParty = (payment: Payment, account: string): boolean =>
  payment.account_id === account ||
  payment.payee_account_id === account ||
  payment.payer_account_id === account

/** What only the payee of a payment may do with it. */
const ofPayee =
  (answer: (payment: Payment, asked: Attempt, model: Model) => Right) =>
  (asked: Attempt, model: Model): Right => {
    const payment = paymentOf(model, asked.id)
    if (payment === undefined || !isParty(payment, asked.account)) return ABSENT
    return payment.payee_account_id === asked.account ? answer(payment, asked, model) : NOT_THEIRS
  }

const amountIn = (sent: Attempt["sent"]) =>
  sent["amount"] as { readonly currency: string; readonly value: number } | undefined

const captured = (payment: Payment, { sent }: Attempt): Right => {
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
const ended =
  (as: "cancelled" | "voided") =>
  ({ status }: Payment): Right => {
    if (status === as) return SAME
    const isOver = UNSPENT.has(status) || status === "captured" || status === "completed"
    return isOver || status === "succeeded" ? NO_MOVE : undefined
  }

/** Everything that stands in the way of a refund; undefined if nothing does. */
const refunded = (payment: Payment, { at, sent }: Attempt, model: Model): Right => {
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
const refundAsked = (asked: Attempt, model: Model): Right => {
  const payment = paymentOf(model, asked.id)
  if (payment === undefined || !isParty(payment, asked.account)) return ABSENT
  if (payment.payee_account_id === asked.account) return NOT_THEIRS
  const requests = [...(model.know(kept).get("refund_request")?.values() ?? [])]
  const isOpen = requests.some((record) => {
    const request = record as RefundRequest | null
    return request?.payment_intent === asked.id && request.status === "open"
  })
  return isOpen ? undefined : refunded(payment, asked, model)
}

/** A decision on a refund request that has been decided: by whom it may be. */
const decided =
  (by: "account_id" | "payee_account_id") =>
  ({ account, id }: Attempt, model: Model): Right => {
    const request = recordOf<RefundRequest>(model, "refund_request", id)
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
const approved = (asked: Attempt, model: Model): Right => {
  const right = decided("payee_account_id")(asked, model)
  if (right !== NO_MOVE) return right
  const request = recordOf<RefundRequest>(model, "refund_request", asked.id)
  const payment = request && paymentOf(model, request.payment_intent)
  if (payment === undefined) return undefined
  const sent = { amount: amountIn(asked.sent) ?? request?.amount }
  return [...NO_MOVE, ...(refunded(payment, { ...asked, sent }, model) ?? BY_THE_RULES)]
}

/** What one side of an invoice may do with it. */
const ofInvoice =
  (by: "account_id" | "payee_account_id", answer: (invoice: Invoice) => Right) =>
  ({ account, id }: Attempt, model: Model): Right => {
    const invoice = recordOf<Invoice>(model, "invoice", id)
    const sides = [invoice?.account_id, invoice?.payee_account_id]
    if (invoice === undefined || !sides.includes(account)) return ABSENT
    return invoice[by] === account ? answer(invoice) : NOT_THEIRS
  }

/** Paying an invoice in the market: nothing that is said may contradict it. */
const owedPaid = (asked: Attempt, model: Model): Right => {
  const { account, id, sent } = asked
  const invoice = recordOf<Invoice>(model, "invoice", id)
  const sides = [invoice?.account_id, invoice?.payee_account_id]
  if (invoice === undefined || !sides.includes(account)) return ABSENT
  const its: { readonly [name: string]: unknown } = {
    service_id: invoice.service_id,
    amount: invoice.amount.value,
    currency: invoice.amount.currency,
    agent_id: invoice.payer.agent_id,
  }
  if (Object.entries(sent).some(([name, value]) => value !== its[name])) return ["INVALID_REQUEST"]
  if (invoice.account_id !== account) return NOT_THEIRS
  if (invoice.status === "void") return NO_MOVE
  return invoice.status !== "paid" ? undefined : invoice.payment_intent === null ? NO_MOVE : SAME
}

const subscriptionEnded = ({ account, id }: Attempt, model: Model): Right => {
  const found = recordOf<Subscription>(model, "subscription", id)
  if (found?.account_id !== account && found?.payee_account_id !== account) return ABSENT
  return found.status === "cancelled" ? SAME : undefined
}

/** Why a service can take no payment of an account; undefined if it can. */
const away = (service: ServiceManifest | undefined, account: string, model: Model): Right => {
  if (service === undefined) return ABSENT
  const { account_id, status } = service
  const isShown = account_id === account || status === "active" || status === "deprecated"
  if (!isShown) return ABSENT
  const seller = recordOf<Account>(model, "account", account_id)
  if (seller === undefined) return undefined
  return status !== "active" || seller.suspended_at !== null ? ["SERVICE_NOT_ACTIVE"] : undefined
}

/** What can be asked of a service that can be paid. */
const ofService =
  (wrong: (service: ServiceManifest, asked: Attempt, model: Model) => ReadonlyArray<string>) =>
  (asked: Attempt, model: Model): Right => {
    const service = recordOf<ServiceManifest>(model, "service", asked.id)
    const gone = away(service, asked.account, model)
    if (gone !== undefined || service === undefined) return gone
    const reasons = wrong(service, asked, model)
    return reasons.length === 0 ? undefined : reasons
  }

/** A seller's key has no agent that pays. */
const payerFlaws = ({ account, sent }: Attempt, model: Model): ReadonlyArray<string> => {
  const isBuyer = recordOf<Account>(model, "account", account)?.kind === "buyer"
  return isBuyer || sent["payer"] !== undefined ? [] : ["INVALID_PAYER"]
}

const subscribeFlaws = (service: ServiceManifest, asked: Attempt, model: Model) => {
  const { amount, interval, plan_id } = asked.sent
  const plan = service.pricing.subscription?.find((one) => one.plan_id === plan_id)
  if (plan === undefined) return ["INVALID_REQUEST"]
  const said = amount as { readonly currency?: string; readonly value?: number } | undefined
  const isUnlike = interval !== undefined && interval !== plan.interval
  const isWithout = interval === undefined && said?.value !== undefined
  const price = { currency: plan.currency, value: plan.amount, ...said }
  const isDearer = price.currency !== plan.currency || price.value !== plan.amount
  return [
    ...(isUnlike || isWithout ? ["INVALID_REQUEST"] : []),
    ...(isDearer ? ["INVALID_AMOUNT"] : []),
    ...payerFlaws(asked, model),
  ]
}

const tabFlaws = (service: ServiceManifest, asked: Attempt, model: Model) =>
  service.pricing.cumulative === undefined ? ["INVALID_REQUEST"] : payerFlaws(asked, model)

/** Whether none of a service's channels takes a currency. */
const isUnserved = ({ accepted_channels }: ServiceManifest, currency: string): boolean =>
  !accepted_channels.some((id) => {
    const channel = find(defaultCatalog, id)
    return channel !== undefined && serves(channel, currency)
  })

const paymentFlaws = (service: ServiceManifest, { sent }: Attempt): ReadonlyArray<string> =>
  isUnserved(service, amountIn(sent)?.currency ?? "") ? ["INVALID_AMOUNT"] : []

/** The moves of a service, by its status. */
const MOVES: { readonly [status: string]: ReadonlyArray<string> } = {
  draft: ["activate"],
  active: ["pause", "deprecate"],
  paused: ["resume", "deprecate"],
  deprecated: ["delete"],
  deleted: [],
}
const GRACE = 30 * DAY

const serviceMoved = ({ account, at, id, sent }: Attempt, model: Model): Right => {
  const service = recordOf<ServiceManifest>(model, "service", id)
  if (service?.account_id !== account) return ABSENT
  const { deprecated_at, status } = service
  const action = String(sent["action"])
  if (status === "deleted" && action === "delete") return SAME
  if (MOVES[status]?.includes(action) !== true) return NO_MOVE
  const age = at - (deprecated_at ?? at) - GRACE
  return action === "delete" && age < -model.clocksOff ? NO_MOVE : undefined
}

const tabClosed = ({ account, id }: Attempt, model: Model): Right => {
  const tab = recordOf<Tab>(model, "tab", id)
  if (tab === undefined) return undefined
  if (tab.account_id !== account && tab.payee_account_id !== account) return ABSENT
  return tab.account_id === account && tab.status === "closed" ? SAME : undefined
}

/** The right answers to each request. */
const RIGHT: { readonly [deed: string]: (asked: Attempt, model: Model) => Right } = {
  capture: ofPayee(captured),
  cancel: ofPayee(ended("cancelled")),
  void: ({ account, id }, model) => {
    const payment = paymentOf(model, id)
    return payment === undefined || !isParty(payment, account) ? ABSENT : ended("voided")(payment)
  },
  refund: ofPayee(refunded),
  "ask for a refund": refundAsked,
  "ask for a refund in the market": refundAsked,
  approve: approved,
  decline: decided("payee_account_id"),
  withdraw: decided("account_id"),
  "pay invoice": ofInvoice("account_id", ({ status }) =>
    status === "paid" || status === "void" ? NO_MOVE : undefined,
  ),
  "void invoice": ofInvoice("payee_account_id", ({ status }) =>
    status === "void" ? SAME : status === "paid" ? NO_MOVE : undefined,
  ),
  "pay invoice in the market": owedPaid,
  "end subscription": subscriptionEnded,
  "end subscription in the market": subscriptionEnded,
  subscribe: ofService(subscribeFlaws),
  "open tab": ofService(tabFlaws),
  "close tab": tabClosed,
  "request payment": ofService(paymentFlaws),
  "pay once": ofService(paymentFlaws),
  "move service": serviceMoved,
}

/** Returns the right answers to a request; undefined if it could have an effect. */
export const answersTo = (asked: Attempt, model: Model): Right => RIGHT[asked.deed]?.(asked, model)

const answered = (seen: Observations["attempted"], model: Model): Finding => {
  const right = answersTo(seen, model) ?? []
  if (!right.includes(seen.answer)) {
    return `${seen.deed}: gets ${seen.answer}, not ${right.join(" or ")}`
  }
  return seen.commits === 0 ? undefined : `${seen.deed}: stores something`
}

/** The rules about requests that cannot be granted. */
export const attemptRules: Rulebook = { 151: { attempted: answered } }
