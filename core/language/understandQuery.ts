import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Ids } from "../ports/Ids.ts"
import { Installation } from "../ports/Installation.ts"
import { Language } from "../ports/Language.ts"
import { type Action, wireOf } from "./Action.ts"
import { givesOrders } from "./Orders.ts"
import { questionFor } from "./Question.ts"
import type { QueryContext } from "./QueryInput.ts"
import type { QueryView } from "./QueryView.ts"
import { type Resolved, resolveQuery } from "./resolveQuery.ts"
import { trusted } from "./Trusted.ts"
import type { Entities } from "./Understanding.ts"

const entitiesView = (
  { amount: _, plan, ...entities }: Entities,
  { amount, plan: meant, service }: Resolved,
): QueryView["entities"] => {
  const plan_id = meant?.plan_id ?? plan
  const currency = amount?.currency ?? entities.currency
  return {
    ...entities,
    ...(amount !== undefined && { amount }),
    ...(currency !== undefined && { currency }),
    ...(service !== undefined && { service: service.name, service_id: service.id }),
    ...(plan_id !== undefined && { plan_id }),
    ...(meant !== undefined && { interval: meant.interval }),
  }
}

/** The answer to a text that gives orders: it says what is wrong, and allows no action. */
const refused: Resolved = {
  service: undefined,
  amount: undefined,
  plan: undefined,
  action: null,
  missing: ["confirmation"],
  choices: [],
}

/** A text as it was understood, with the action that it asks for. */
export interface Understood {
  readonly view: QueryView
  readonly action: Action | null
}

/**
 * Understands a text, and finds what it names. Nothing is done yet. A text that is about the rules
 * themselves gets no action.
 */
export const understandQuery = Effect.fnUntraced(function* (
  caller: Caller,
  query: string,
  context: QueryContext = {},
) {
  const { currencies } = yield* Installation
  const codes: ReadonlySet<string> = new Set(currencies.keys())
  const understood = trusted(query, yield* (yield* Language).understand(query), codes)
  const { confidence, entities, intent } = understood
  const resolved = givesOrders(query) ? refused : yield* resolveQuery(caller, understood, context)
  const { action, choices, missing } = resolved
  const [first] = missing
  const view: QueryView = {
    id: `nlq_${(yield* Ids).uuid()}`,
    intent,
    confidence,
    entities: entitiesView(entities, resolved),
    action: action === null ? null : wireOf(action),
    missing,
    ...(first !== undefined && { clarification: questionFor(query, first, choices) }),
  }
  return { view, action } satisfies Understood
})
