import { randomUUID } from "node:crypto"
import { isFields } from "../client/Fields.ts"
import {
  type ChallengeParameters,
  METHOD,
  type MppChallenge,
  requestOf,
  requestText,
} from "../client/MppChallenge.ts"
import type { MppCredential } from "../client/MppCredential.ts"
import { type Plan, PERIODS } from "../client/MppPeriod.ts"
import { isBound, idOf } from "./binding.ts"
import { altered, type Scope } from "./charge.ts"
import { type MppProblem, problem } from "./MppProblem.ts"

/** The validity of a challenge for a subscription, in milliseconds. */
const MET_WITHIN = 5 * 60_000

/** The plan of a service that a challenge requires. */
export interface Offered {
  readonly service: string
  readonly plan: Plan
}

/** The proof of a subscription in the payload of payport's credentials. */
export interface SubscriptionProofShown {
  readonly subscription: string
  readonly token: string
  readonly expires_at: string
}

/**
 * Returns the challenge that requires a subscription (intent `subscription`). Its `request` has the
 * shared fields amount, currency and period. `methodDetails` names service and plan. The key is the
 * seller's own secret, because no payment has begun.
 */
export const subscriptionChallenge = (
  { plan, service }: Offered,
  { digest, realm }: Scope,
  key: string,
  now: number,
): MppChallenge => {
  const { count, unit } = PERIODS[plan.interval]
  const parameters: ChallengeParameters = {
    realm,
    method: METHOD,
    intent: "subscription",
    request: requestText({
      amount: String(plan.amount),
      currency: plan.currency.toLowerCase(),
      periodUnit: unit,
      periodCount: String(count),
      description: plan.name,
      // Each challenge is different, so that a proof is for one request.
      methodDetails: { service_id: service, plan_id: plan.plan_id, nonce: randomUUID() },
    }),
    expires: new Date(now + MET_WITHIN).toISOString(),
    ...(digest !== undefined && { digest }),
  }
  return { id: idOf(parameters, key), ...parameters }
}

/** The form of a proof's parts: visible ASCII. */
const TEXT = /^[\x21-\x7e]{1,256}$/
const SUBSCRIPTION = /^sub_[0-9a-f-]{36}$/

/** Returns the proof in a credential's payload; undefined without one. */
export const subscriptionProofOf = ({
  payload,
}: MppCredential): SubscriptionProofShown | undefined => {
  const { expires_at, subscription, token } = payload
  const isForm =
    typeof subscription === "string" &&
    SUBSCRIPTION.test(subscription) &&
    typeof token === "string" &&
    TEXT.test(token) &&
    typeof expires_at === "string" &&
    TEXT.test(expires_at)
  return isForm ? { subscription, token, expires_at } : undefined
}

/**
 * Checks a credential before its subscription is read. Returns undefined if it repeats a challenge
 * that was made with the key, for this realm, body and plan, and recently; otherwise the problem.
 */
export const checkSubscription = (
  credential: MppCredential,
  { plan, service }: Offered,
  { digest, realm }: Scope,
  key: string,
  now: number,
): MppProblem | undefined => {
  const { challenge } = credential
  if (challenge.method !== METHOD) {
    return problem("method-unsupported", `The method ${challenge.method} is not accepted here.`)
  }
  if (subscriptionProofOf(credential) === undefined) {
    const form = "The payload must have subscription, token and expires_at."
    return problem("malformed-credential", form)
  }
  if (challenge.intent !== "subscription") return altered("its intent is not offered")
  if (challenge.realm !== realm) return altered("its realm is different")
  if (!isBound(challenge, key)) return altered("its id does not match its parameters")
  const { amount, currency, methodDetails } = requestOf(challenge)
  const details = isFields(methodDetails) ? methodDetails : {}
  if (details["service_id"] !== service || details["plan_id"] !== plan.plan_id) {
    return altered("its plan is different")
  }
  if (amount !== String(plan.amount) || currency !== plan.currency.toLowerCase()) {
    return altered("the plan's price has changed")
  }
  if (now >= Date.parse(challenge.expires ?? "")) {
    return problem("payment-expired", "The challenge has expired. Use the one in this response.")
  }
  return challenge.digest === digest
    ? undefined
    : problem("verification-failed", "The request's body is not the one that the challenge is for.")
}
