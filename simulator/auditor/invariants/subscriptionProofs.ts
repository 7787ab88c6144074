// Written from the intent `subscription` of MPP, and not from core/subscriptions: whether a period
// is paid is read from what was stored of subscription and invoice, in the auditor's own way.

import type { RedeemSubscriptionInput } from "../../../core/subscriptions/SubscriptionProof.ts"
import { MINUTE, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { billing } from "../Billing.ts"
import { knowledge } from "../Knowledge.ts"
import type { Model } from "../Model.ts"
import type { Rule, Rulebook } from "../Observation.ts"

/** A proof that a subscriber was given. */
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
}

/** What the auditor keeps in mind of proofs of subscriptions. */
export const subscriptionProofs = knowledge("subscription proofs", SubscriptionProofs)

declare module "../Observation.ts" {
  interface Observations {
    /** A subscriber that was given a proof. */
    readonly proof_given: {
      readonly subscription: string
      readonly challenge: string
      readonly token: string
      readonly at: Timestamp
    }
    /** A request that a proof of a subscription has let through. */
    readonly subscribed: {
      readonly subscription: string
      readonly shown: RedeemSubscriptionInput
      readonly asked_at: Timestamp
    }
  }
}

/** How long a proof can be shown. */
const SHOWN = 5 * MINUTE

/** Why a subscription does not pay for what is asked at that time; undefined where it does. */
const unpaid = (id: string, at: Timestamp, model: Model): string | undefined => {
  const known = model.know(billing)
  const subscription = known.subscriptions.get(id)
  if (subscription === undefined) return "does not exist"
  const { current_period_end, period, status } = subscription
  if (status !== "active") return `is ${status}`
  if (at >= current_period_end + model.clocksOff) return "has its period behind it"
  const invoice = known.invoices.get(known.cycles.get(`${id} ${period}`) ?? "")
  return invoice === undefined || invoice.status === "paid"
    ? undefined
    : `has an invoice that is ${invoice.status}`
}

const noted: Rule<"proof_given"> = ({ at, challenge, subscription, token }, model) => {
  model.know(subscriptionProofs).given.set(token, { subscription, challenge, at })
  return undefined
}

/** A proof is counted while its subscription is active and the period that runs is paid. */
const paid: Rule<"commit"> = ({ at, cause, commit }, model) => {
  if (cause.type !== "client" || commit.reservations === undefined) return undefined
  const [, id] = /^POST \/v1\/subscriptions\/([^/]+)\/redeem$/.exec(cause.route) ?? []
  if (id === undefined) return undefined
  // A decision may have waited for the store: it was taken before.
  const why = unpaid(id, at - STORED_WITHIN, model)
  return why && `is proven, and ${why}`
}

/** The store takes so long at most to store what was decided. */
const STORED_WITHIN = 100

/** A proof lets one request through, for what it was given for, and in its time. */
const once: Rule<"subscribed"> = ({ asked_at, shown, subscription }, model) => {
  const { given, passed } = model.know(subscriptionProofs)
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
  const late = asked_at - proof.at - SHOWN
  return late > 2 * model.clocksOff ? `lets through ${late} ms after its time` : undefined
}

/** What subscriptions are proven for. */
export const subscriptionProofRules: Rulebook = {
  101: { proof_given: noted, commit: paid, subscribed: once },
}
