import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { boundElsewhere, invalid } from "../challenges/provenPayment.ts"
import { catchConflict } from "../commits/catchConflict.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { PROOF_COUNTERS } from "../installs/Budget.ts"
import type { Subscription } from "../invoices/Subscription.ts"
import type { ConflictReason } from "../commits/Commit.ts"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { Failure } from "../shared/Failure.ts"
import { fromIso, type Timestamp, toIso } from "../shared/Timestamp.ts"
import { findVisibleSubscription } from "./access.ts"
import {
  isOfPeriod,
  PROOF_SHOWN,
  proofCounter,
  proofText,
  type ProveSubscriptionInput,
  type RedeemSubscriptionInput,
  type SubscriptionStanding,
  subscriptionStanding,
} from "./SubscriptionProof.ts"

const WHY: { readonly [S in Exclude<SubscriptionStanding, "paid">]: string } = {
  cancelled: "The subscription has ended. Subscribe again.",
  past_due: "An invoice of the subscription is overdue. Pay it.",
  lapsed: "The paid period is over, and the next one begins in a moment. Repeat the request.",
  unpaid: "The invoice of the current period is not paid. Pay it.",
  refunded: "The payment of the current period was refunded.",
}

const foreign = () =>
  new Failure({
    code: "FORBIDDEN",
    message: "Only the account that pays a subscription can prove it.",
  })

const expired = ({ id }: Subscription) =>
  new Failure({
    code: "PAYMENT_REQUIRED",
    message: "The proof has expired. Get a new one.",
    details: { subscription: id, status: "expired" },
  })

const used = (id: string) =>
  new Failure({
    code: "PAYMENT_PROOF_USED",
    message: "The proof was used before. Each proof is for one request: get a new one.",
    details: { subscription: id },
  })

/** Returns the payment of the current period, which must be paid; null where the period is free. */
const findCovered = Effect.fnUntraced(function* (subscription: Subscription, now: Timestamp) {
  const store = yield* Store
  const invoice = yield* store.find("invoice", subscription.latest_invoice)
  const isPaid = isOfPeriod(subscription, invoice) && invoice?.status === "paid"
  const name = isPaid ? invoice.payment_intent : null
  const payment = name === null ? undefined : yield* store.find("payment_intent", name)
  const standing = subscriptionStanding(subscription, invoice, payment, now)
  if (standing === "paid") return name
  return yield* new Failure({
    code: "PAYMENT_REQUIRED",
    message: WHY[standing],
    details: {
      subscription: subscription.id,
      status: standing,
      ...(invoice?.status === "open" && { invoice: invoice.id }),
    },
  })
})

/**
 * Makes a token that proves an active subscription of the caller to its seller, for one challenge
 * of the seller. The token is accepted once, within five minutes. Nothing is stored or charged.
 *
 * Fails with `NOT_FOUND`, `FORBIDDEN` for the seller, and `PAYMENT_REQUIRED` while the current
 * period is not paid (`details.status` says why, `details.invoice` what is to be paid).
 */
export const proveSubscription = Effect.fn("proveSubscription")(function* (
  caller: Caller,
  id: string,
  { challenge }: ProveSubscriptionInput,
) {
  const subscription = yield* findVisibleSubscription(caller, id)
  if (subscription.account_id !== caller.account.id) return yield* foreign()
  const now = yield* Clock.currentTimeMillis
  yield* findCovered(subscription, now)
  const until = now + PROOF_SHOWN
  const { fingerprint } = yield* Vault
  return {
    subscription: id,
    token: fingerprint(proofText(id, challenge, until)),
    expires_at: toIso(until),
  }
})

/**
 * Finds the subscription to the caller's service, if the proof is for it and for the same terms.
 */
const findProvenSubscription = Effect.fnUntraced(function* (
  caller: Caller,
  id: string,
  proof: RedeemSubscriptionInput,
) {
  const { equal, fingerprint } = yield* Vault
  const until = fromIso(proof.expires_at) ?? 0
  const token = fingerprint(proofText(id, proof.challenge, until))
  if (!equal(token, proof.token)) return yield* invalid()
  const found = yield* (yield* Store).find("subscription", id)
  if (found === undefined || found.payee_account_id !== caller.account.id) return yield* invalid()
  if (found.service_id !== proof.service_id) return yield* boundElsewhere("service_id")
  if (found.plan_id !== proof.plan_id) return yield* boundElsewhere("plan_id")
  return { subscription: found, until }
})

const accept = Effect.fnUntraced(function* (
  caller: Caller,
  id: string,
  proof: RedeemSubscriptionInput,
) {
  const { subscription, until } = yield* findProvenSubscription(caller, id, proof)
  const now = yield* Clock.currentTimeMillis
  if (now >= until) return yield* expired(subscription)
  const payment_intent = yield* findCovered(subscription, now)
  const view = {
    subscription: id,
    plan_id: subscription.plan_id,
    payer: subscription.payer.agent_id,
    payment_intent,
    redeemed_at: toIso(now),
    current_period_end: toIso(subscription.current_period_end),
  }
  const counter = proofCounter((yield* Vault).sha256(proof.token), until)
  yield* (yield* Store).commit({
    writes: [],
    guards: [{ kind: "subscription", id, version: subscription.version }],
    reservations: [{ counter, add: 1, limit: 1 }],
    ...(yield* replyWith(view)),
  })
  return view
})

/** Tells whether a commit was refused because the proof was already used. */
const isUsed = (reason: ConflictReason): boolean =>
  reason.type === "limit_reached" && reason.counter.startsWith(PROOF_COUNTERS)

/**
 * Accepts the proof that a subscriber has shown a seller's endpoint, for that seller, once, also
 * across concurrent processes. Nothing is charged: invoices pay for periods.
 *
 * Fails with `PAYMENT_PROOF_INVALID`, `PAYMENT_PROOF_USED`, and with `PAYMENT_REQUIRED` once the
 * subscription has ended or its period is not paid (`details.status`).
 */
export const redeemSubscription = Effect.fn("redeemSubscription")(
  (caller: Caller, id: string, proof: RedeemSubscriptionInput) =>
    retryConflict(catchConflict(isUsed, () => used(id))(accept(caller, id, proof))),
)
