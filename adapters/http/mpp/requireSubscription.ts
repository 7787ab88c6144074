import { createHash } from "node:crypto"
import { makeClient } from "../client/client.ts"
import type { MppCredential } from "../client/MppCredential.ts"
import { PayportError } from "../client/PayportError.ts"
import type { SubscriptionRedemption } from "../client/Resources.ts"
import { credentialOf, offered, problemOf } from "./answers.ts"
import type { MppProblem } from "./MppProblem.ts"
import { formatReceipt, receiptOf } from "./MppReceipt.ts"
import {
  checkSubscription,
  type Offered,
  subscriptionChallenge,
  subscriptionProofOf,
} from "./subscription.ts"
import { onFetch } from "../paid/doors/fetch.ts"
import { onKoa } from "../paid/doors/koa.ts"
import { onNode } from "../paid/doors/node.ts"
import type { PaidRequest } from "../paid/PaidRequest.ts"
import { makeScopeOf } from "../paid/terms/bound.ts"
import { failed, type Paywall } from "../paid/requirePayment.ts"
import { refuse, type Verdict } from "../paid/Verdict.ts"

/** The subscription that an endpoint requires. */
export interface SubscriptionTerms {
  /** The address of payport, and a seller's key, with which challenges are made, too. */
  readonly payport: { readonly baseUrl: string; readonly apiKey: string }
  /** The id of the seller's active service. */
  readonly service: string
  /** The plan's id within the service. */
  readonly plan: string
  /** The protection space of the "Payment" scheme; by default the requested host. */
  readonly realm?: string
  /** Receives the error behind each 503. */
  readonly report?: (error: unknown) => void
}

/** How long a plan is cached, in milliseconds. */
const KEPT = 60_000

/** Reads the plan of the service, at most once a minute. */
const makePlanOf = ({ payport, plan: plan_id, service }: SubscriptionTerms) => {
  const { services } = makeClient(payport)
  const read = async (): Promise<Offered> => {
    const { pricing } = await services.get(service)
    const plan = pricing.subscription?.find((one) => one.plan_id === plan_id)
    if (plan === undefined) throw new Error(`The service ${service} has no plan ${plan_id}.`)
    return { service, plan }
  }
  let known: { readonly at: number; readonly plan: Promise<Offered> } | undefined
  return (): Promise<Offered> => {
    const now = Date.now()
    if (known === undefined || now >= known.at + KEPT) {
      const plan = read()
      known = { at: now, plan }
      plan.catch(() => (known = undefined))
    }
    return known.plan
  }
}

const letThrough = (redemption: SubscriptionRedemption, { challenge }: MppCredential): Verdict => {
  const { payment_intent, redeemed_at, subscription } = redemption
  const reference = payment_intent ?? subscription
  const receipt = {
    ...receiptOf(reference, redeemed_at, challenge.id),
    subscriptionId: subscription,
  }
  return {
    paid: true,
    payment_intent: reference,
    valid_until: null,
    repeated: false,
    capture_before: null,
    headers: { "Cache-Control": "private", "Payment-Receipt": formatReceipt(receipt) },
  }
}

const demand = ({ plan, service }: Offered, why?: PayportError): Verdict => ({
  paid: false,
  status: 402,
  headers: { "Cache-Control": "no-store" },
  body: {
    error: "payment_required",
    ...(why !== undefined && { code: why.code, message: why.message }),
    service_id: service,
    plan_id: plan.plan_id,
    amount: { currency: plan.currency, value: plan.amount },
    interval: plan.interval,
  },
})

const REFUSED: ReadonlySet<string> = new Set([
  "PAYMENT_REQUIRED",
  "PAYMENT_PROOF_INVALID",
  "PAYMENT_PROOF_USED",
])

/**
 * Requires a subscription to a plan of a service before a request passes (MPP, intent
 * `subscription`). A request without a credential gets a 402 with plan, price and period. The payer
 * subscribes with its own account, and each request shows a proof, which passes once. If the
 * subscription has ended, or its period is not paid, the answer is a 402 with the problem. Nothing
 * is charged here: periods are paid by their invoices, once each.
 */
export const requireSubscription = (terms: SubscriptionTerms): Paywall => {
  const { subscriptions } = makeClient(terms.payport)
  const key = createHash("sha256").update(`subscriptions ${terms.payport.apiKey}`).digest("hex")
  const planOf = makePlanOf(terms)
  const scopeOf = makeScopeOf(terms)

  const ask = (request: PaidRequest, plan: Offered, problem?: MppProblem, why?: PayportError) => {
    const challenge = subscriptionChallenge(plan, scopeOf(request), key, Date.now())
    return offered(demand(plan, why), request, challenge, problem)
  }

  const show = async (request: PaidRequest, plan: Offered, sent: MppCredential) => {
    const problem = checkSubscription(sent, plan, scopeOf(request), key, Date.now())
    const proof = subscriptionProofOf(sent)
    if (problem?.status === 400) {
      return refuse("INVALID_REQUEST", problem.detail, { status: 400 })
    }
    if (problem !== undefined || proof === undefined) return ask(request, plan, problem)
    const { expires_at, subscription, token } = proof
    const named = { service_id: terms.service, plan_id: terms.plan }
    const challenge = sent.challenge.id
    try {
      const shown = { ...named, challenge, token, expires_at }
      return letThrough(await subscriptions.redeem(subscription, shown), sent)
    } catch (error) {
      if (!(error instanceof PayportError) || !REFUSED.has(error.code)) throw error
      return ask(request, plan, problemOf(error, sent), error)
    }
  }

  const check = async (request: PaidRequest): Promise<Verdict> => {
    try {
      const plan = await planOf()
      const sent = credentialOf(request)
      if (sent === undefined) return ask(request, plan)
      if (!("type" in sent)) return await show(request, plan, sent)
      return sent.status === 400
        ? refuse("INVALID_REQUEST", sent.detail, { status: 400 })
        : ask(request, plan, sent)
    } catch (error) {
      return failed(error, terms.report)
    }
  }

  return Object.assign(onKoa(check), { check, node: onNode(check), fetch: onFetch(check) })
}
