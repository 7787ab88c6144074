import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { findVisible } from "../payments/access.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { searchWords } from "../registry/ServiceQuery.ts"
import { isUuid } from "../shared/Id.ts"
import { fromMajor, type Money } from "../shared/Money.ts"
import { nameKey } from "../shared/Text.ts"
import type { Action } from "./Action.ts"
import type { Missing } from "./Question.ts"
import type { QueryContext } from "./QueryInput.ts"
import { holdsWords, type Trusted } from "./Trusted.ts"
import type { Entities } from "./Understanding.ts"
import type { PaymentMethods, SubscriptionPlan } from "../registry/Pricing.ts"

/** What a text comes to: what it names as far as it is known, and the request where it is whole. */
export interface Resolved {
  readonly service: ServiceManifest | undefined
  readonly amount: Money | undefined
  readonly plan: SubscriptionPlan | undefined
  readonly action: Action | null
  readonly missing: ReadonlyArray<Missing>
  /** What the first missing thing may be. */
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

/** How often a name that is not found is asked for again with fewer words. */
const MOST_SEARCHES = 4

/** The name, and what is left of it without its last or its first words. */
const shorter = (name: string): ReadonlyArray<string> => {
  const words = name.split(/\s+/)
  const ends = [1, 2].map((count) => words.slice(0, -count).join(" "))
  const begins = words.slice(1).join(" ")
  return [name, ...ends, begins].filter((text) => text !== "").slice(0, MOST_SEARCHES)
}

interface FoundService {
  readonly service: ServiceManifest | undefined
  readonly choices: ReadonlyArray<string>
}

/**
 * The active service that goes by that name, if it is clear which one is meant: by its whole name,
 * or as the only one whose name holds all words of the text's name. A service that is found by its
 * description, or by a part of the name, is offered and not taken: any seller writes descriptions.
 */
const serviceNamed = Effect.fnUntraced(function* (
  caller: Caller,
  name: string,
  method: keyof PaymentMethods | undefined,
) {
  const store = yield* Store
  let choices: ReadonlyArray<string> = []
  for (const text of shorter(name)) {
    const q = searchWords(text)
    if (q === undefined) continue
    const { data } = yield* store.searchServices({
      q,
      ...(method !== undefined && { payment_method: method }),
      status: "active",
      viewer: caller.account.id,
      limit: 20,
      offset: 0,
    })
    const exact = data.find((service) => service.name_key === nameKey(text))
    const [only, another] = text === name ? data : []
    const isOnly = another === undefined && only !== undefined && holdsWords(only.name, name)
    const service = exact ?? (isOnly ? only : undefined)
    if (service !== undefined) return { service, choices: [] } satisfies FoundService
    if (choices.length === 0) choices = data.map((found) => found.name)
  }
  return { service: undefined, choices } satisfies FoundService
})

const findService = Effect.fnUntraced(function* (
  caller: Caller,
  { service, service_id }: Entities,
  context: QueryContext,
  method: keyof PaymentMethods | undefined,
) {
  const store = yield* Store
  const id = service_id ?? (service === undefined ? context.service_id : undefined)
  if (id !== undefined) {
    const found = isUuid(id) ? yield* store.find("service", id) : undefined
    return { service: found?.status === "active" ? found : undefined, choices: [] }
  }
  if (service === undefined) return { service: undefined, choices: [] }
  const found: FoundService = yield* serviceNamed(caller, service, method)
  if (found.service !== undefined || found.choices.length > 0) return found
  // The name may be wrong; an explicit service_id counts.
  const known = context.service_id
  const given =
    known !== undefined && isUuid(known) ? yield* store.find("service", known) : undefined
  return { service: given?.status === "active" ? given : undefined, choices: [] }
})

/** The amount in minor units, or which half of it is missing or unclear. */
const moneyOf = Effect.fnUntraced(function* (
  { entities: { amount }, unclear }: Trusted,
  currency: string | undefined,
): Effect.fn.Return<Money | "amount" | "currency", never, Installation> {
  if (amount === undefined || unclear.has("amount")) return "amount"
  if (unclear.has("currency")) return "currency"
  const known = (yield* Installation).currencies.get(currency ?? "")
  if (known === undefined) return "currency"
  const value = fromMajor(amount, known)
  return value === undefined || value === 0 ? "amount" : { currency: known.code, value }
})

/** Who names no amount means the price, where there is one only. */
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

const pay = Effect.fnUntraced(function* (
  caller: Caller,
  understood: Trusted,
  context: QueryContext,
) {
  const { entities } = understood
  const { choices, service } = yield* findService(caller, entities, context, "one_time")
  const named = yield* moneyOf(understood, entities.currency ?? context.currency)
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

const planOf = (
  service: ServiceManifest,
  { interval, plan }: Entities,
): { readonly plan: SubscriptionPlan | undefined; readonly choices: ReadonlyArray<string> } => {
  const all = service.pricing.subscription ?? []
  const fitting = interval === undefined ? all : all.filter((offer) => offer.interval === interval)
  const key = nameKey(plan ?? "")
  const exact = fitting.filter((o) => nameKey(o.plan_id) === key || nameKey(o.name) === key)
  const partly = fitting.filter((o) => `${nameKey(o.name)} ${nameKey(o.plan_id)}`.includes(key))
  const meant = plan === undefined ? fitting : exact.length > 0 ? exact : partly
  const choices = (meant.length > 0 ? meant : all).map((offer) => offer.name)
  return { plan: meant.length === 1 ? meant[0] : undefined, choices }
}

/** Whether an offer costs what the text names; where it names nothing, any does. */
const costsAsStated = Effect.fnUntraced(function* ({ money }: Trusted, plan: SubscriptionPlan) {
  const { currencies } = yield* Installation
  return (
    money.length === 0 ||
    money.some(({ currency = "", value }) => {
      const known = currencies.get(currency)
      return known?.code === plan.currency && fromMajor(value, known) === plan.amount
    })
  )
})

const subscribe = Effect.fnUntraced(function* (
  caller: Caller,
  understood: Trusted,
  context: QueryContext,
) {
  const { entities } = understood
  const { choices, service } = yield* findService(caller, entities, context, "subscription")
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
    ...(payer !== undefined && { payer }),
  }
  const action = { type: "subscribe" as const, service_id: service.id, input }
  return { ...NOTHING, service, plan, action }
})

const queryInvoice = Effect.fnUntraced(function* (
  caller: Caller,
  entities: Entities,
  context: QueryContext,
) {
  const { choices, service } = yield* findService(caller, entities, context, undefined)
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

const refund = Effect.fnUntraced(function* (
  caller: Caller,
  understood: Trusted,
  context: QueryContext,
) {
  const { amount, currency, payment_intent, reason } = understood.entities
  if (payment_intent === undefined || understood.unclear.has("payment_intent")) {
    const named = yield* moneyOf(understood, currency ?? context.currency)
    const known = typeof named === "string" ? undefined : named
    return { ...NOTHING, amount: known, missing: ["payment_intent" as const] }
  }
  const why = reason === undefined ? {} : { reason }
  // Without a word of an amount it is all that was paid.
  if (amount === undefined && !understood.unclear.has("amount")) {
    return { ...NOTHING, action: { type: "refund" as const, payment_intent, input: why } }
  }
  const paid = yield* Effect.option(findVisible(caller, payment_intent))
  const own = paid._tag === "Some" ? paid.value.amount.currency : undefined
  const money = yield* moneyOf(understood, currency ?? own ?? context.currency)
  if (typeof money === "string") return { ...NOTHING, missing: [money] }
  const input = { amount: money, ...why }
  return { ...NOTHING, amount: money, action: { type: "refund" as const, payment_intent, input } }
})

/** Finds what a text names, under the caller's rights, and makes the request that it asks for. */
export const resolveQuery = (caller: Caller, understood: Trusted, context: QueryContext) => {
  const { entities, intent } = understood
  switch (intent) {
    case "pay":
      return pay(caller, understood, context)
    case "subscribe":
      return subscribe(caller, understood, context)
    case "query_invoice":
      return queryInvoice(caller, entities, context)
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
