import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { findVisible } from "../payments/access.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { Installation } from "../ports/Installation.ts"
import { REASON_CHARACTERS } from "../refundRequests/RefundRequestInput.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { catchFailure } from "../shared/catchFailure.ts"
import { fromMajor, type Money } from "../shared/Money.ts"
import { nameKey, shortLine } from "../shared/Text.ts"
import type { Action } from "./Action.ts"
import { currencyMeant, isMeantBy } from "./grammar/CurrencyText.ts"
import { hanPlanIn } from "./grammar/PlanText.ts"
import { findService, type NameKind } from "./findService.ts"
import type { Missing } from "./Question.ts"
import type { QueryContext } from "./QueryInput.ts"
import type { Trusted } from "./Trusted.ts"
import type { Entities } from "./Understanding.ts"
import type { SubscriptionPlan } from "../registry/Pricing.ts"

/** What a text refers to, as far as it was found, and the action if nothing is missing. */
export interface Resolved {
  readonly service: ServiceManifest | undefined
  readonly amount: Money | undefined
  readonly plan: SubscriptionPlan | undefined
  readonly action: Action | null
  readonly missing: ReadonlyArray<Missing>
  /** The possible values of the first missing field. */
  readonly choices: ReadonlyArray<string>
}

const NOTHING: Resolved = {
  service: undefined,
  amount: undefined,
  plan: undefined,
  action: null,
  missing: [],
  choices: [],
}

/** An understanding to resolve, and how reliable its name is. */
export interface Asked extends Trusted {
  readonly names: NameKind
  /** The original text. The payee reads it where a refund request has no reason. */
  readonly words: string
}

/**
 * Returns the currency of the text's amount. Where the text names none, or several by one name, it
 * is the payment's or the context's, but never one that the name does not mean.
 */
const currencyOf = (
  { entities: { currency }, shared }: Trusted,
  near: string | undefined,
): string | undefined => (shared === undefined ? (currency ?? near) : currencyMeant(shared, near))

/** Returns the amount in minor units, or the part of it that is missing or unclear. */
const moneyOf = Effect.fnUntraced(function* (
  understood: Trusted,
  near: string | undefined,
): Effect.fn.Return<Money | "amount" | "currency", never, Installation> {
  const { entities, unclear } = understood
  const { amount } = entities
  if (amount === undefined || unclear.has("amount")) return "amount"
  if (unclear.has("currency")) return "currency"
  const known = (yield* Installation).currencies.get(currencyOf(understood, near) ?? "")
  if (known === undefined) return "currency"
  const value = fromMajor(amount, known)
  return value === undefined || value === 0 ? "amount" : { currency: known.code, value }
})

/** Returns the service's price where the text names no amount and there is only one price. */
const priceMeant = (
  { entities: { amount, currency }, unclear }: Trusted,
  service: ServiceManifest | undefined,
): Money | undefined => {
  const [price, another] = service?.pricing.one_time ?? []
  if (price === undefined || another !== undefined) return undefined
  const named = amount !== undefined || unclear.has("amount")
  if (named || (currency ?? price.currency) !== price.currency) return undefined
  return { currency: price.currency, value: price.amount }
}

const pay = Effect.fnUntraced(function* (caller: Caller, understood: Asked, context: QueryContext) {
  const { entities } = understood
  const { choices, service } = yield* findService(
    caller,
    entities,
    context,
    "one_time",
    understood.names,
  )
  const named = yield* moneyOf(understood, context.currency)
  const priced = priceMeant(understood, service) ?? named
  const amount = typeof priced === "string" ? undefined : priced
  const missing: ReadonlyArray<Missing> = [
    ...(typeof priced === "string" ? [priced] : []),
    ...(service === undefined ? (["service_id"] as const) : []),
  ]
  if (service === undefined || amount === undefined) {
    const first = missing[0] === "service_id" ? choices : []
    return { ...NOTHING, service, amount, missing, choices: first }
  }
  const { payer } = context
  const input = { service_id: service.id, type: "one_time" as const, amount }
  const described = { ...input, description: service.name, ...(payer !== undefined && { payer }) }
  return { ...NOTHING, service, amount, action: { type: "pay" as const, input: described } }
})

/** Tells whether the plan has that name; 专业版 also matches `pro`. */
const isCalled = ({ name, plan_id }: SubscriptionPlan, key: string): boolean =>
  nameKey(name) === key || nameKey(plan_id) === key || hanPlanIn(name) === key

/** Tells whether it is a variant of the plan: `pro_year` is a `pro` plan with its own interval. */
const isKindOf = ({ plan_id }: SubscriptionPlan, key: string): boolean =>
  nameKey(plan_id).startsWith(`${key}_`) || nameKey(plan_id).startsWith(`${key}-`)

const planOf = (
  service: ServiceManifest,
  { interval, plan }: Entities,
): { readonly plan: SubscriptionPlan | undefined; readonly choices: ReadonlyArray<string> } => {
  const all = service.pricing.subscription ?? []
  const fitting = interval === undefined ? all : all.filter((offer) => offer.interval === interval)
  const key = nameKey(plan ?? "")
  const called = fitting.filter((offer) => isCalled(offer, key))
  const alike = called.length > 0 ? called : fitting.filter((offer) => isKindOf(offer, key))
  const meant = plan === undefined ? fitting : alike
  const choices = (meant.length > 0 ? meant : all).map((offer) => offer.name)
  return { plan: meant.length === 1 ? meant[0] : undefined, choices }
}

/** Tells whether an offer has one of the prices that the text names; true where it names none. */
const costsAsStated = Effect.fnUntraced(function* ({ money }: Trusted, plan: SubscriptionPlan) {
  const { currencies } = yield* Installation
  return (
    money.length === 0 ||
    money.some(({ currency = "", shared, value }) => {
      const known = currencies.get(isMeantBy(shared, plan.currency) ? plan.currency : currency)
      return known?.code === plan.currency && fromMajor(value, known) === plan.amount
    })
  )
})

const subscribe = Effect.fnUntraced(function* (
  caller: Caller,
  understood: Asked,
  context: QueryContext,
) {
  const { entities } = understood
  const { choices, service } = yield* findService(
    caller,
    entities,
    context,
    "subscription",
    understood.names,
  )
  if (service === undefined) {
    const rest = entities.plan === undefined ? (["plan_id"] as const) : []
    return { ...NOTHING, missing: ["service_id" as const, ...rest], choices }
  }
  const { choices: plans, plan } = planOf(service, entities)
  if (
    plan === undefined ||
    understood.unclear.has("plan_id") ||
    !(yield* costsAsStated(understood, plan))
  ) {
    return { ...NOTHING, service, missing: ["plan_id" as const], choices: plans }
  }
  const { payer } = context
  const input = {
    plan_id: plan.plan_id,
    interval: plan.interval,
    // Whoever subscribes agrees to this price, and to no other that the seller sets meanwhile.
    amount: { currency: plan.currency, value: plan.amount },
    ...(payer !== undefined && { payer }),
  }
  const action = { type: "subscribe" as const, service_id: service.id, input }
  return { ...NOTHING, service, plan, action }
})

const queryInvoice = Effect.fnUntraced(function* (
  caller: Caller,
  { entities, names }: Asked,
  context: QueryContext,
) {
  const { choices, service } = yield* findService(caller, entities, context, undefined, names)
  const named = entities.service ?? entities.service_id ?? context.service_id
  if (named !== undefined && service === undefined) {
    return { ...NOTHING, missing: ["service_id" as const], choices }
  }
  const { status } = entities
  const query = {
    ...(service !== undefined && { service_id: service.id }),
    ...(status !== undefined && { status }),
  }
  return { ...NOTHING, service, action: { type: "query_invoice" as const, query } }
})

/** Returns the payment if the caller may see it, otherwise undefined. */
const paymentSeen = (caller: Caller, id: string) =>
  findVisible(caller, id).pipe(catchFailure(["NOT_FOUND"], () => Effect.undefined))

/**
 * Returns the action that gives money back: the payee refunds, anyone else sends a refund request.
 * For an unknown payment the kind of the account decides, and the route answers that it is not
 * found.
 */
const refundBy = (
  caller: Caller,
  intent: PaymentIntent | undefined,
  payment_intent: string,
  said: { readonly amount?: Money; readonly reason?: string },
  words: string,
): Action => {
  const { id, kind } = caller.account
  const isPayee = intent === undefined ? kind === "seller" : intent.payee_account_id === id
  if (isPayee) return { type: "refund", payment_intent, input: said }
  const reason = said.reason ?? shortLine(words, REASON_CHARACTERS)
  return { type: "request_refund", input: { payment_intent, ...said, reason } }
}

const refund = Effect.fnUntraced(function* (
  caller: Caller,
  understood: Asked,
  context: QueryContext,
) {
  const { amount, payment_intent, reason } = understood.entities
  if (payment_intent === undefined || understood.unclear.has("payment_intent")) {
    const named = yield* moneyOf(understood, context.currency)
    const known = typeof named === "string" ? undefined : named
    return { ...NOTHING, amount: known, missing: ["payment_intent" as const] }
  }
  const why = reason === undefined ? {} : { reason }
  const paid = yield* paymentSeen(caller, payment_intent)
  const asks = (said: { readonly amount?: Money }) =>
    refundBy(caller, paid, payment_intent, { ...said, ...why }, understood.words)
  // A refund without an amount refunds all that was paid.
  if (amount === undefined && !understood.unclear.has("amount")) {
    return { ...NOTHING, action: asks({}) }
  }
  const own = paid?.amount.currency
  const money = yield* moneyOf(understood, own ?? context.currency)
  if (typeof money === "string") return { ...NOTHING, missing: [money] }
  return { ...NOTHING, amount: money, action: asks({ amount: money }) }
})

/** Finds what a text names, under the caller's rights, and makes the action that it asks for. */
export const resolveQuery = (caller: Caller, understood: Asked, context: QueryContext) => {
  const { entities, intent } = understood
  switch (intent) {
    case "pay":
      return pay(caller, understood, context)
    case "subscribe":
      return subscribe(caller, understood, context)
    case "query_invoice":
      return queryInvoice(caller, understood, context)
    case "refund":
      return refund(caller, understood, context)
    case "void": {
      const { payment_intent } = entities
      return Effect.succeed<Resolved>(
        payment_intent === undefined || understood.unclear.has("payment_intent")
          ? { ...NOTHING, missing: ["payment_intent"] }
          : { ...NOTHING, action: { type: "void", payment_intent } },
      )
    }
    case "scan_qr":
      return Effect.succeed<Resolved>({ ...NOTHING, missing: ["image"] })
    case "unknown":
      return Effect.succeed<Resolved>({ ...NOTHING, missing: ["intent"] })
  }
}
