import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Ids } from "../ports/Ids.ts"
import { Installation } from "../ports/Installation.ts"
import { Language } from "../ports/Language.ts"
import { type Action, wireOf } from "./Action.ts"
import { isMeantBy } from "./grammar/CurrencyText.ts"
import type { Order, Said } from "./grammar/Order.ts"
import { readOrder } from "./grammar/Reading.ts"
import { givesOrders } from "./Orders.ts"
import { questionFor } from "./Question.ts"
import type { QueryContext } from "./QueryInput.ts"
import type { QueryView } from "./QueryView.ts"
import { type Resolved, resolveQuery } from "./resolveQuery.ts"
import { trusted, type Trusted } from "./Trusted.ts"
import { resolveOrders } from "./resolveOrders.ts"
import type { Understanding } from "./Understanding.ts"

const entitiesView = (
  { amount: _, currency: named, plan, shared: __, ...entities }: Said,
  { amount, missing, plan: meant, service }: Resolved,
): QueryView["entities"] => {
  const plan_id = meant?.plan_id ?? plan
  const currency = amount?.currency ?? (missing.includes("currency") ? undefined : named)
  return {
    ...entities,
    ...(amount !== undefined && { amount }),
    ...(currency !== undefined && { currency }),
    ...(service !== undefined && { service: service.name, service_id: service.id }),
    ...(plan_id !== undefined && { plan_id }),
    ...(meant !== undefined && { interval: meant.interval }),
  }
}

/** The result for a text that instructs the engine: no action, and a request for confirmation. */
const refused: Resolved = {
  service: undefined,
  amount: undefined,
  plan: undefined,
  action: null,
  missing: ["confirmation"],
  choices: [],
}

/** Tells whether the engine and the grammar agree on everything that affects money. */
const agree = (said: Understanding, kept: Trusted, order: Order): boolean => {
  const { amount = "", currency, payment_intent } = kept.entities
  return (
    said.intent === order.intent &&
    Object.keys(said.entities).every((key) => key in kept.entities) &&
    Number(amount) === Number(order.amount ?? "") &&
    (amount === "" || currency === order.currency || isMeantBy(order.shared, currency)) &&
    payment_intent?.toLowerCase() === order.payment_intent
  )
}

/** Asks about the unread words. The engine's guess shapes the question and never an action. */
const guessed = Effect.fnUntraced(function* (
  caller: Caller,
  understood: Trusted,
  context: QueryContext,
  words: string,
  unread: ReadonlyArray<string>,
) {
  const asked = { ...understood, names: "guessed" as const, words }
  const resolved: Resolved = yield* resolveQuery(caller, asked, context)
  return resolved.action === null
    ? resolved
    : { ...resolved, action: null, missing: ["wording" as const], choices: unread }
})

/** The result for a text, with its action. */
export interface Understood {
  readonly view: QueryView
  readonly action: Action | null
}

/**
 * Understands a text and finds what it names, without carrying anything out. There is an action
 * only where the grammar uses every word, the engine found the same, and all of it can be said
 * back. A text that instructs the engine about its rules gets no action.
 */
export const understandQuery = Effect.fnUntraced(function* (
  caller: Caller,
  query: string,
  context: QueryContext = {},
) {
  const { currencies } = yield* Installation
  const codes: ReadonlySet<string> = new Set(currencies.keys())
  const said = yield* (yield* Language).understand(query)
  const understood = trusted(query, said, codes)
  const { orders, unread } = readOrder(query, codes)
  const [order, ...others] = givesOrders(query) ? [] : orders
  const whole =
    order !== undefined && agree(said, understood, order)
      ? yield* resolveOrders(caller, [order, ...others], context, query)
      : undefined
  const resolved: Resolved =
    whole ??
    (givesOrders(query) ? refused : yield* guessed(caller, understood, context, query, unread))
  const { action, choices, missing } = resolved
  const [first] = missing
  const { intent: _, ...entities } = whole?.order ?? { intent: "", ...understood.entities }
  const view: QueryView = {
    id: `nlq_${(yield* Ids).uuid()}`,
    intent: understood.intent,
    confidence: understood.confidence,
    entities: entitiesView(entities, resolved),
    action: action === null ? null : wireOf(action),
    missing,
    ...(first !== undefined && { clarification: questionFor(query, first, choices) }),
    ...(whole?.summary !== undefined && { summary: whole.summary }),
    ...(unread.length > 0 && { unread }),
  }
  return { view, action } satisfies Understood
})
