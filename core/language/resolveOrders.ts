import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Installation } from "../ports/Installation.ts"
import type { CurrencyTable } from "../shared/Currency.ts"
import { type Money, toMajor } from "../shared/Money.ts"
import type { Order } from "./grammar/Order.ts"
import { sayBack, speechOf } from "./grammar/Readback.ts"
import type { QueryContext } from "./QueryInput.ts"
import { type Resolved, resolveQuery } from "./resolveQuery.ts"
import type { Trusted } from "./Trusted.ts"
import { commaNumber, groupsBehindName } from "./UnclearAmount.ts"

/** The result for a text that the grammar has read, and the sentence that says it back. */
export interface ResolvedOrder extends Resolved {
  readonly order: Order
  /** Undefined without an action. */
  readonly summary: string | undefined
}

/** Turns an order into an understanding with full confidence. */
const understandingOf = ({ intent, shared: name, ...entities }: Order): Trusted => {
  const { amount, currency } = entities
  const shared = currency === undefined ? name : undefined
  const found = { currency, ...(shared !== undefined && { shared }), start: 0, end: 0 }
  const money = amount === undefined ? [] : [{ ...found, value: amount }]
  return { intent, confidence: 1, entities, unclear: new Set(), shared, money }
}

const majorOf = (money: Money, currencies: CurrencyTable): Partial<Order> => {
  const currency = currencies.get(money.currency)
  if (currency === undefined) return {}
  // `1.250` is a thousand to some readers, so a third decimal of zero is dropped.
  const amount = toMajor(money, currency).replace(/(\.\d\d)0$/, "$1")
  return { amount, currency: money.currency }
}

/** Turns an action back into an order that says it completely. */
const orderOf = (
  { action, plan, service }: Resolved,
  currencies: CurrencyTable,
  { reason }: Order,
): Order | undefined => {
  const named = service === undefined ? {} : { service: service.name }
  const why = reason === undefined ? {} : { reason }
  switch (action?.type) {
    case "pay":
      return { intent: "pay", ...named, ...majorOf(action.input.amount, currencies) }
    case "subscribe": {
      if (plan === undefined) return undefined
      const price = majorOf({ currency: plan.currency, value: plan.amount }, currencies)
      const { interval, plan_id } = plan
      return { intent: "subscribe", ...named, plan: plan_id, interval, ...price }
    }
    case "query_invoice": {
      const { status } = action.query
      return { intent: "query_invoice", ...named, ...(status !== undefined && { status }) }
    }
    case "refund":
    case "request_refund": {
      const { amount } = action.input
      const { payment_intent } = action.type === "refund" ? action : action.input
      const money = amount === undefined ? {} : majorOf(amount, currencies)
      return { intent: "refund", payment_intent, ...money, ...why }
    }
    case "void":
      return { intent: "void", payment_intent: action.payment_intent }
    case undefined:
      return undefined
  }
}

const keyOf = ({ action, missing, service }: Resolved): string =>
  JSON.stringify([service?.id, action, missing])

/** Returns the same without the action, and asks for other words. */
const asking = (resolved: Resolved, choices: ReadonlyArray<string>): Resolved => ({
  ...resolved,
  amount: undefined,
  action: null,
  missing: ["wording"],
  choices,
})

/**
 * Resolves the readings of a text. If two of them name existing services, or other amounts for one,
 * it asks what is meant. An order that cannot be said back completely gets no action.
 */
export const resolveOrders = Effect.fnUntraced(function* (
  caller: Caller,
  orders: readonly [Order, ...ReadonlyArray<Order>],
  context: QueryContext,
  words: string,
) {
  const { currencies } = yield* Installation
  const resolved = yield* Effect.forEach(orders, (order, index) => {
    // Where a number may belong to the name, no reading counts less than the first.
    const isEqual = index === 0 || order.amount !== orders[0].amount
    const names = isEqual ? ("whole" as const) : ("exact" as const)
    const asked = { ...understandingOf(order), names, words }
    return Effect.map(resolveQuery(caller, asked, context), (one) => ({ ...one, order }))
  })
  const [first = resolved[0], ...others] = resolved.filter(
    ({ action, service }) => service !== undefined || action !== null,
  )
  const hasThree = currencies.get(first.amount?.currency ?? "")?.exponent === 3
  const number =
    orders.map((order) => groupsBehindName(words, order)).find(Boolean) ??
    (hasThree ? commaNumber(words, first.order) : undefined)
  if (first.action !== null && number !== undefined) {
    return { ...first, ...asking(first, [number]), summary: undefined } satisfies ResolvedOrder
  }
  const rivals = others.filter((other) => keyOf(other) !== keyOf(first))
  if (rivals.length > 0 && rivals.every(({ service }) => service?.id === first.service?.id)) {
    return { ...first, ...asking(first, []), summary: undefined } satisfies ResolvedOrder
  }
  if (rivals.length > 0) {
    const choices = [first, ...others].flatMap(({ service }) => service?.name ?? [])
    const missing = ["service_id" as const]
    return { ...first, action: null, missing, choices, summary: undefined } satisfies ResolvedOrder
  }
  const said = orderOf(first, currencies, first.order)
  const codes: ReadonlySet<string> = new Set(currencies.keys())
  const summary = said === undefined ? undefined : sayBack(said, speechOf(words), codes)
  if (first.action !== null && summary === undefined) {
    const missing = ["wording" as const]
    return { ...first, action: null, missing, summary } satisfies ResolvedOrder
  }
  return { ...first, summary } satisfies ResolvedOrder
})
