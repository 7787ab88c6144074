import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { orRefusal } from "../agents/answerPurchase.ts"
import { demandFor, type ProvenAnswer, type ToolProof } from "../agents/Demand.ts"
import { payOneTime } from "../agents/payOneTime.ts"
import { payProven } from "../agents/payProven.ts"
import { paySubscribe } from "../agents/paySubscribe.ts"
import { repeatProven, type ShownToken } from "../agents/repeatProven.ts"
import { saidLine } from "../agents/SafeText.ts"
import type { SubscriptionView } from "../invoices/SubscriptionView.ts"
import type { IntentView } from "../payments/IntentView.ts"
import { findPayable, findSold } from "../registry/findPayable.ts"
import { invalidField } from "../shared/Failure.ts"
import { cancelSubscription } from "../subscriptions/cancelSubscription.ts"
import type { MarketInput } from "./MarketInput.ts"
import { lookAtPayment } from "./lookAtPayment.ts"
import { requireOneTime } from "./quotePayment.ts"
import { ANEW, isPaid, isUnpaidEnd, receipt } from "./Receipt.ts"

/** The arguments of a call of `pay` that buys something. */
type Bought = Omit<MarketInput<"pay">, "invoice_id">

const again = (replayed: boolean) => (replayed ? { replayed } : {})

/** Reads what is known of a payment now. If it cannot be read, the first answer is returned. */
const asKnownNow = (caller: Caller, payment: IntentView) =>
  lookAtPayment(caller, payment.id).pipe(
    Effect.catchTag("Failure", () => Effect.succeed({ payment })),
  )

/**
 * Pays a service once. The same purchase again returns the current state of its payment and its
 * refunds.
 *
 * Fails as One-Time Pay does.
 */
export const payOnce = Effect.fn("payOnce")(function* (
  caller: Caller,
  { service_id, ...input }: Bought,
) {
  const { refusal, service } = yield* findSold(caller, service_id)
  const buying = Effect.andThen(
    requireOneTime(service),
    payOneTime(caller, service, { manifest_id: service.id, ...input }),
  )
  const { replayed, view } = yield* orRefusal(refusal)(buying)
  const payment = view as IntentView
  const known = replayed ? yield* asKnownNow(caller, payment) : { payment }
  return { ...again(replayed), ...receipt(known) }
})

const provenReceipt = ({ answer, settlement }: ProvenAnswer) => {
  const payment = answer.view as IntentView
  return { answer: { ...again(answer.replayed), ...receipt({ payment }) }, settlement }
}

/**
 * Finds the service of a payment to be proven, and turns the call into one of the service's tool.
 */
const provable = Effect.fnUntraced(function* (caller: Caller, { service_id, ...input }: Bought) {
  const { service } = yield* findPayable(caller, service_id)
  yield* requireOneTime(service)
  return { service, input: { manifest_id: service.id, ...input } }
})

/** Repeats the answer to a call whose proof was used before; see {@link repeatProven}. */
export const repeatPay = Effect.fn("repeatPay")(function* (
  caller: Caller,
  { service_id, ...said }: Bought,
  shown: ShownToken,
) {
  const known = yield* repeatProven(caller, { tool: "pay", service_id, said }, shown)
  return known && provenReceipt(known)
})

/** Returns the terms on which `pay` accepts a proof. Fails as {@link payOnce} does. */
export const demandOfPay = Effect.fn("demandOfPay")(function* (caller: Caller, given: Bought) {
  const { input, service } = yield* provable(caller, given)
  return yield* Effect.fromResult(demandFor("pay", input, service, caller.account))
})

/** Pays a service once with a payment that was begun for it. Fails as `payProven` does. */
export const payOnceProven = Effect.fn("payOnceProven")(function* (
  caller: Caller,
  given: Bought,
  proof: ToolProof,
) {
  const { input, service } = yield* provable(caller, given)
  return provenReceipt(yield* payProven(caller, service, input, proof))
})

type Subscription = typeof SubscriptionView.Type

const subscriptionLine = (subscription: Subscription) => ({
  subscription_id: subscription.id,
  service_id: subscription.service_id,
  status: subscription.status,
  amount: subscription.amount,
  interval: subscription.interval,
  current_period_end: subscription.current_period_end,
  seller_says: { plan_id: saidLine(subscription.plan_id, 64) },
})

const endOf = ({ current_period_end, status }: Subscription): string =>
  status === "cancelled"
    ? "The subscription has ended: no further period is paid."
    : `The subscription ends at ${current_period_end}: no further period is paid.`

const isEnding = ({ cancel_at_period_end, status }: Subscription): boolean =>
  status === "cancelled" || cancel_at_period_end

/**
 * Returns the next step for a subscription that was cancelled since its first call, with `unpaid`
 * if its first period can still be paid.
 */
const nextAfterEnd = (subscription: Subscription, payment: IntentView, unpaid: string): string => {
  const when = subscription.status === "cancelled" ? `with ${ANEW}` : "after that"
  const ended = `${endOf(subscription)} To subscribe again, call subscribe ${when}.`
  return isPaid(payment) || isUnpaidEnd(payment) ? ended : `${unpaid} ${ended}`
}

/**
 * Subscribes to a plan. The same call again returns the current state of the subscription and its
 * payment.
 *
 * Fails as `subscribe` does.
 */
export const subscribeTo = Effect.fn("subscribeTo")(function* (
  caller: Caller,
  { service_id, ...input }: MarketInput<"subscribe">,
) {
  const { refusal, service } = yield* findSold(caller, service_id)
  if (service.payment_methods.subscription !== true) {
    const noPlans = invalidField("service_id", "the service has no plans: call pay instead")
    return yield* refusal ?? noPlans
  }
  const { replayed, view } = yield* paySubscribe(caller, service, {
    manifest_id: service.id,
    ...input,
  }).pipe(orRefusal(refusal))
  const { payment, ...subscription } = view as Subscription & { readonly payment: IntentView }
  const known = replayed ? yield* asKnownNow(caller, payment) : { payment }
  const { next: paid, ...first } = receipt(known)
  const next = isEnding(subscription) ? nextAfterEnd(subscription, known.payment, paid) : paid
  return { ...again(replayed), ...subscriptionLine(subscription), payment: first, next }
})

/** Ends a subscription. Fails as `cancelSubscription` does. */
export const endSubscription = Effect.fn("endSubscription")(function* (
  caller: Caller,
  { now = false, subscription_id }: MarketInput<"cancel_subscription">,
) {
  const ended = yield* cancelSubscription(caller, subscription_id, { now: now ? "true" : "false" })
  return { ...subscriptionLine(ended), next: endOf(ended) }
})
