// Written from the intent `subscription` of MPP, and not from core/subscriptions. The auditor
// decides in its own way, from the stored subscription and invoice, whether a period is paid.

import type { RedeemSubscriptionInput } from "../../../core/subscriptions/SubscriptionProof.ts"
import { MINUTE, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { billing } from "../Billing.ts"
import { knowledge } from "../Knowledge.ts"
import type { Model } from "../Model.ts"
import type { Rule, Rulebook } from "../Observation.ts"

/** A proof that a subscriber got. */
interface Given {
  readonly subscription: string
  readonly challenge: string
  readonly at: Timestamp
}

/** The proofs of subscriptions. */
class SubscriptionProofs {
  /** By their tokens. */
  readonly given = new Map<string, Given>()
  /** The tokens that have let a request through. */
  readonly passed = new Set<string>()
  /** By subscription, the end of the period in which a proof was last counted. */
  readonly counted = new Map<string, Timestamp>()
}

/** The auditor's knowledge about proofs of subscriptions. */
export const subscriptionProofs = knowledge("subscription proofs", SubscriptionProofs)

declare module "../Observation.ts" {
  interface Observations {
    /** A subscriber got a proof. */
    readonly proof_given: {
      readonly subscription: string
      readonly challenge: string
      readonly token: string
      readonly at: Timestamp
    }
    /** A proof of a subscription has let a request through. */
    readonly subscribed: {
      readonly subscription: string
      readonly shown: RedeemSubscriptionInput
      readonly asked_at: Timestamp
    }
  }
}

/** How long a proof can be shown. */
const SHOWN = 5 * MINUTE

/**
 * How long a proof's commit may take to be stored once its guard has been read. A cancellation in
 * between counts as later.
 */
const STORED_WITHIN = SECOND / 2

/** Returns why a subscription pays for nothing in its period; undefined if it does pay. */
const unpaid = (id: string, at: Timestamp, model: Model): string | undefined => {
  const known = model.know(billing)
  const subscription = known.subscriptions.get(id)
  if (subscription === undefined) return "does not exist"
  const { current_period_end, period, status } = subscription
  const isJustCancelled = status === "cancelled" && at - subscription.cancelled_at < STORED_WITHIN
  if (status !== "active" && !isJustCancelled) return `is ${status}`
  model.know(subscriptionProofs).counted.set(id, current_period_end)
  const invoice = known.invoices.get(known.cycles.get(`${id} ${period}`) ?? "")
  // A period whose invoice was voided is free.
  return invoice === undefined || invoice.status === "paid" || invoice.status === "void"
    ? undefined
    : `has an invoice that is ${invoice.status}`
}

const noted: Rule<"proof_given"> = ({ at, challenge, subscription, token }, model) => {
  model.know(subscriptionProofs).given.set(token, { subscription, challenge, at })
  return undefined
}

/** Checks that a proof is counted while its subscription is active and its period is paid. */
const paid: Rule<"commit"> = ({ at, cause, commit }, model) => {
  if (cause.type !== "client" || commit.reservations === undefined) return undefined
  const [, id] = /^POST \/v1\/subscriptions\/([^/]+)\/redeem$/.exec(cause.route) ?? []
  if (id === undefined) return undefined
  const why = unpaid(id, at, model)
  return why && `is proven, and ${why}`
}

/**
 * Checks that a proof lets one request through, for its purpose and in its time. The period has to
 * run at the time of the request, since a whole failover may pass before it is stored.
 */
const once: Rule<"subscribed"> = ({ asked_at, shown, subscription }, model) => {
  const { counted, given, passed } = model.know(subscriptionProofs)
  const { challenge, plan_id, service_id, token } = shown
  const proof = given.get(token)
  if (proof === undefined) return "lets through what nobody was given"
  if (passed.has(token)) return "lets two requests through with one proof"
  passed.add(token)
  if (proof.subscription !== subscription) return "lets through with the proof of another"
  if (proof.challenge !== challenge) return "lets through what was given for another challenge"
  const known = model.know(billing).subscriptions.get(subscription)
  if (known?.plan_id !== plan_id || known.service_id !== service_id) {
    return "lets through what it is no subscription of"
  }
  if (asked_at >= (counted.get(subscription) ?? 0) + model.clocksOff) {
    return "lets through what has its period behind it"
  }
  const late = asked_at - proof.at - SHOWN
  return late > 2 * model.clocksOff ? `lets through ${late} ms after its time` : undefined
}

/** The rules about proofs of subscriptions. */
export const subscriptionProofRules: Rulebook = {
  101: { proof_given: noted, commit: paid, subscribed: once },
}
