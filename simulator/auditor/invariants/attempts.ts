// Written independently of the core on purpose: what the interface says about each request that
// cannot be granted, and about each that has been granted before.

import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { find, serves } from "../../../core/channels/Channel.ts"
import type { Invoice } from "../../../core/invoices/Invoice.ts"
import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import type { Model } from "../Model.ts"
import type { Finding, Observations, Rulebook } from "../Observation.ts"
import { ABSENT, type Attempt, NO_MOVE, NOT_THEIRS, recordOf, type Right, SAME } from "./attempt.ts"
import {
  amountIn,
  approved,
  captured,
  decided,
  ended,
  isParty,
  ofPayee,
  paymentOf,
  refundAsked,
  refunded,
} from "./attemptedPayments.ts"

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

/** What one side of an invoice may do with it. */
const ofInvoice =
  (by: "account_id" | "payee_account_id", answer: (invoice: Invoice) => Right) =>
  ({ account, id }: Attempt, model: Model): Right => {
    const invoice = recordOf(model, "invoice", id)
    const sides = [invoice?.account_id, invoice?.payee_account_id]
    if (invoice === undefined || !sides.includes(account)) return ABSENT
    return invoice[by] === account ? answer(invoice) : NOT_THEIRS
  }

/** The most that an amount may be, in minor units. */
const MOST = 999_999_999_999

/** Paying an invoice in the market: nothing that is said may contradict it. */
const owedPaid = (asked: Attempt, model: Model): Right => {
  const { account, id, sent } = asked
  const { amount } = sent
  // No amount of nothing can be named, even of a bill of nothing, whoever asks.
  if (typeof amount === "number" && (amount < 1 || amount > MOST)) return ["INVALID_AMOUNT"]
  const invoice = recordOf(model, "invoice", id)
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
  const found = recordOf(model, "subscription", id)
  if (found?.account_id !== account && found?.payee_account_id !== account) return ABSENT
  return found.status === "cancelled" ? SAME : undefined
}

/** Why a service can take no payment of an account; undefined if it can. */
const away = (service: ServiceManifest | undefined, account: string, model: Model): Right => {
  if (service === undefined) return ABSENT
  const { account_id, status } = service
  const isShown = account_id === account || status === "active" || status === "deprecated"
  if (!isShown) return ABSENT
  const seller = recordOf(model, "account", account_id)
  if (seller === undefined) return undefined
  return status !== "active" || seller.suspended_at !== null ? ["SERVICE_NOT_ACTIVE"] : undefined
}

/** What can be asked of a service that can be paid. */
const ofService =
  (wrong: (service: ServiceManifest, asked: Attempt, model: Model) => ReadonlyArray<string>) =>
  (asked: Attempt, model: Model): Right => {
    const service = recordOf(model, "service", asked.id)
    const gone = away(service, asked.account, model)
    if (gone !== undefined || service === undefined) return gone
    const reasons = wrong(service, asked, model)
    return reasons.length === 0 ? undefined : reasons
  }

/** A seller's key has no agent that pays. */
const payerFlaws = ({ account, sent }: Attempt, model: Model): ReadonlyArray<string> => {
  const isBuyer = recordOf(model, "account", account)?.kind === "buyer"
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
  const byPayer = payerFlaws(asked, model)
  // A price in another currency may settle to nothing, which depends on the rates.
  const mayBeTooLittle = byPayer.length > 0 && plan.currency !== service.settlement_currency
  return [
    ...(isUnlike || isWithout ? ["INVALID_REQUEST"] : []),
    ...(isDearer || mayBeTooLittle ? ["INVALID_AMOUNT"] : []),
    ...byPayer,
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
  const service = recordOf(model, "service", id)
  if (service?.account_id !== account) return ABSENT
  const { deprecated_at, status } = service
  const action = String(sent["action"])
  if (status === "deleted" && action === "delete") return SAME
  if (MOVES[status]?.includes(action) !== true) return NO_MOVE
  const age = at - (deprecated_at ?? at) - GRACE
  return action === "delete" && age < -model.clocksOff ? NO_MOVE : undefined
}

const tabClosed = ({ account, id }: Attempt, model: Model): Right => {
  const tab = recordOf(model, "tab", id)
  if (tab === undefined) return undefined
  if (tab.account_id !== account && tab.payee_account_id !== account) return ABSENT
  return tab.account_id === account && tab.status === "closed" ? SAME : undefined
}

/** A printed code that sells nothing: of a service that has none, or whose seller is suspended. */
const codeRead = ({ id }: Attempt, model: Model): Right => {
  const service = recordOf(model, "service", id)
  if (service === undefined || service.qr_mode !== "static") return ABSENT
  const seller = recordOf(model, "account", service.account_id)
  const isAway = service.status !== "active" && service.status !== "paused"
  return isAway || (seller !== undefined && seller.suspended_at !== null) ? ABSENT : undefined
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
  "read printed code": codeRead,
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
