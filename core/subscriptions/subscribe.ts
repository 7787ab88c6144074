import { Clock, Effect, Result } from "effect"
import { merge } from "../commits/Commit.ts"
import type { Caller } from "../accounts/Account.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { finishDebit, goOnWith, paymentName, resumedPayment } from "../payments/debit.ts"
import { view } from "../payments/IntentView.ts"
import { checkCurrency, findPayable } from "../registry/findPayable.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { type Failure, invalidField } from "../shared/Failure.ts"
import { periodOf } from "../shared/Period.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { keySpending, loggedUse, refusedForBudget } from "../keys/keySpending.ts"
import { ownPayer } from "./access.ts"
import { refuseSecond } from "./refuseSecond.ts"
import { beginCharge } from "./beginCharge.ts"
import { askedBy } from "./payInvoice.ts"
import { checkPlanPrice } from "../invoices/ExpectedPrice.ts"
import { insertInvoice, writeSubscription } from "../invoices/writeInvoice.ts"
import { draft } from "../invoices/Invoice.ts"
import { type NewCharges, newLinks } from "../payments/registerCharges.ts"
import { commitOwed, openPayment } from "./openPayment.ts"
import type { SubscribeTerms } from "./SubscribeInput.ts"
import type { Subscription } from "../invoices/Subscription.ts"
import { termsOf } from "../invoices/SubscriptionTerms.ts"
import type { SubscribedView } from "./SubscribedView.ts"
import type { SubscriptionPlan } from "../registry/Pricing.ts"
import { subscriptionView } from "../invoices/SubscriptionView.ts"

/**
 * Finds the requested plan. Who agrees to a price agrees to its interval and its currency, too:
 * otherwise a seller could keep the number and ask for it thirty times as often, or in dollars
 * instead of yen.
 */
const findPlan = (
  { pricing: { subscription: plans = [] } }: ServiceManifest,
  { amount, interval, plan_id }: SubscribeTerms,
): Result.Result<SubscriptionPlan, Failure<"INVALID_REQUEST">> => {
  const plan = plans.find((offered) => offered.plan_id === plan_id)
  if (plan === undefined) {
    const offered = plans.map((each) => each.plan_id).join(", ")
    return Result.fail(
      invalidField(
        "plan_id",
        offered === ""
          ? "the service has no plans"
          : `must be one of the service's plans: ${offered}`,
      ),
    )
  }
  if (interval === undefined && amount?.value !== undefined) {
    const rule = `is required with \`amount\`, which is paid every interval (here ${plan.interval})`
    return Result.fail(invalidField("interval", rule))
  }
  if (amount?.value !== undefined && amount.currency === undefined) {
    const rule = `is required with \`amount\`, in minor units of it (here ${plan.currency})`
    return Result.fail(invalidField("currency", rule))
  }
  return interval === undefined || interval === plan.interval
    ? Result.succeed(plan)
    : Result.fail(invalidField("interval", `the plan ${plan_id} is ${plan.interval}`))
}

const begin = Effect.fnUntraced(function* (
  caller: Caller,
  service: ServiceManifest,
  plan: SubscriptionPlan,
  payer: Subscription["payer"],
  now: Timestamp,
) {
  const ids = yield* Ids
  const { end, start } = periodOf(now, plan.interval, 0)
  const subscription: Subscription = {
    id: `sub_${ids.uuid()}`,
    version: 1,
    account_id: caller.account.id,
    payee_account_id: service.account_id,
    service_id: service.id,
    plan_id: plan.plan_id,
    plan_name: plan.name,
    interval: plan.interval,
    amount: { currency: plan.currency, value: plan.amount },
    payer,
    anchor_at: now,
    period: 0,
    current_period_start: start,
    current_period_end: end,
    cancel_at_period_end: false,
    latest_invoice: `inv_${ids.uuid()}`,
    created_at: now,
    due_at: end,
    status: "active",
  }
  return { subscription, invoice: draft(subscription.latest_invoice, termsOf(subscription), now) }
})

/** Shows a subscription with the payment of its first period. */
const withPayment = (
  subscription: Subscription,
  payment: PaymentIntent,
  now: Timestamp,
  viewer: string,
): typeof SubscribedView.Type => ({
  ...subscriptionView(subscription),
  payment: view(payment, now, viewer),
})

type LinksFor = (price: { readonly amount: number; readonly currency: string }) => typeof newLinks

/**
 * Keeps the links of a request by price. A channel's link is for one price, and the seller may
 * change the plan's price while the request is decided.
 */
const linksByPrice = (): LinksFor => {
  const known = new Map<string, NewCharges<void>>()
  return ({ amount, currency }) =>
    Effect.gen(function* () {
      const name = `${currency} ${amount}`
      const links = known.get(name) ?? (yield* newLinks)
      known.set(name, links)
      return links
    })
}

const create = Effect.fnUntraced(function* (
  caller: Caller,
  serviceId: string,
  input: SubscribeTerms,
  linksFor: LinksFor,
) {
  const ids = yield* Ids
  const { service } = yield* findPayable(caller, serviceId)
  const plan = yield* Effect.fromResult(findPlan(service, input))
  yield* Effect.fromResult(checkPlanPrice(plan, input.amount))
  yield* checkCurrency(service, { currency: plan.currency, value: plan.amount })
  const payer = yield* Effect.fromResult(ownPayer(caller, input.payer))
  const now = yield* Clock.currentTimeMillis
  const { invoice, subscription } = yield* begin(caller, service, plan, payer, now)
  const keyed = yield* keySpending(caller, subscription.amount, now)
  const { amount, id } = subscription
  const used = keyed === undefined ? [] : [yield* loggedUse(keyed, id, amount)]
  const subscribed = (payment: Parameters<typeof askedBy>[1]) =>
    merge(
      writeSubscription("insert", subscription, ["subscription.created"], ids, now),
      insertInvoice(Result.getOrThrow(askedBy(invoice, payment)), ids, now),
      { reservations: keyed?.reservations ?? [], writes: used },
    )
  const debit = yield* beginCharge(invoice, {
    payment: yield* paymentName(),
    also: (payment) => subscribed({ id: payment }),
  })
  if (debit !== undefined) return { subscription, debit }
  const links = yield* linksFor(plan)
  const { draft: drafted, part, payment } = yield* openPayment(invoice, links)
  const shown = withPayment(subscription, payment, now, caller.account.id)
  const guards = [{ kind: "service", id: service.id, version: service.version } as const]
  const reply = yield* replyWith(shown)
  yield* commitOwed(drafted, payment, subscribed(payment), part, { guards }, reply)
  return { shown }
})

/** Finds what an earlier request under the same key has begun and not answered. */
const resumedSubscription = Effect.fnUntraced(function* () {
  const payment = yield* resumedPayment()
  if (payment === undefined || payment.invoice === null) return undefined
  const store = yield* Store
  const invoice = yield* store.find("invoice", payment.invoice)
  const subscription = yield* store.find("subscription", invoice?.subscription ?? "")
  return subscription && { subscription, payment }
})

/**
 * Subscribes an agent of the caller's account to a plan of a service (AI-native endpoints,
 * `subscribe`), at the price that the caller agrees to, if the request says one. The price holds
 * until the subscription ends. The first period begins immediately,
 * with its invoice and its payment; the payment is charged immediately where the agent's install
 * allows it. The first period uses the key's budgets permanently. The caller must look up an
 * Idempotency-Key before: a retry after a crash continues what was begun.
 *
 * Fails with `NOT_FOUND`, `SERVICE_NOT_ACTIVE`, `INVALID_REQUEST` for a plan that the service does
 * not have, `INVALID_AMOUNT` for a plan with another price, and as One-Time Pay does.
 */
export const subscribe = Effect.fn("subscribe")(function* (
  caller: Caller,
  serviceId: string,
  input: SubscribeTerms,
) {
  const resumed = yield* resumedSubscription()
  const viewer = caller.account.id
  if (resumed !== undefined) {
    const payment = yield* goOnWith(resumed.payment)
    return withPayment(resumed.subscription, payment, yield* Clock.currentTimeMillis, viewer)
  }
  const creating = create(caller, serviceId, input, linksByPrice()).pipe(
    refusedForBudget({ budgets: caller.restrictions?.budgets ?? [] }),
  )
  const made = yield* retryConflict(refuseSecond(creating))
  if (made.shown !== undefined) return made.shown
  const payment = yield* finishDebit(made.debit)
  return withPayment(made.subscription, payment, yield* Clock.currentTimeMillis, viewer)
})
