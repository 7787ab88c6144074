import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { requireGroup } from "../accounts/authenticate.ts"
import type { RouteGroup } from "../accounts/KeyRestrictions.ts"
import { meter } from "../billing/Meter.ts"
import { meterAnswer } from "../billing/meterAnswer.ts"
import { CurrentRequest } from "../idempotency/Reply.ts"
import { answeringWith, retryConflict } from "../idempotency/requestKey.ts"
import { requireScope } from "../keys/requireScope.ts"
import { createIntent } from "../payments/createIntent.ts"
import { voidIntent } from "../payments/endIntent.ts"
import { Store } from "../ports/Store.ts"
import { createRefundRequest } from "../refundRequests/createRefundRequest.ts"
import { refundIntent } from "../refunds/createRefund.ts"
import { listInvoices } from "../subscriptions/listInvoices.ts"
import { subscribe } from "../subscriptions/subscribe.ts"
import type { Action } from "./Action.ts"
import type { BatchInput, QueryInput } from "./QueryInput.ts"
import { understandQuery } from "./understandQuery.ts"

/** The least confidence at which an action is carried out. */
const SURE = 0.6

/** The most invoices that are shown. */
const PAGE = 20

const GROUPS = {
  pay: "pay",
  subscribe: "pay",
  query_invoice: "read",
  refund: "refund",
  request_refund: "pay",
  void: "pay",
} as const satisfies { readonly [T in Action["type"]]: RouteGroup }

/** Carries out an action with the verb and the rights of the caller's own request. */
const carryOut = Effect.fnUntraced(function* (caller: Caller, action: Action) {
  const group = GROUPS[action.type]
  yield* requireGroup(caller, group)
  const { input = {}, query = {} } = { input: undefined, query: undefined, ...action }
  yield* requireScope(caller, group, { ...action }, { ...input }, { ...query })
  switch (action.type) {
    case "pay":
      return yield* createIntent(caller, action.input)
    case "subscribe":
      return yield* subscribe(caller, action.service_id, action.input)
    case "query_invoice":
      return yield* listInvoices(caller, { ...action.query, limit: PAGE, offset: 0 })
    case "refund":
      return yield* refundIntent(caller, action.payment_intent, action.input)
    case "request_refund":
      return yield* createRefundRequest(caller, action.input)
    case "void":
      return yield* voidIntent(caller, action.payment_intent)
  }
})

const count = Effect.fnUntraced(function* ({ account }: Caller) {
  const at = yield* Clock.currentTimeMillis
  const reservations = meter(account.id, "nlp-payment", at)
  yield* retryConflict((yield* Store).commit({ writes: [], reservations }))
})

/**
 * Understands a request in a person's own words (AI-native endpoints). With `execute`, carries it
 * out under the caller's key if nothing is missing, and returns its `result`.
 *
 * Fails as the request that is carried out.
 */
export const answerQuery = Effect.fn("answerQuery")(function* (caller: Caller, input: QueryInput) {
  const { action, view } = yield* understandQuery(caller, input.query, input.context)
  if (input.execute !== true || action === null || view.confidence < SURE) {
    return yield* meterAnswer(caller, "nlp-payment", view)
  }
  const wrap = (result: unknown) => ({ ...view, result })
  const answer = wrap(yield* answeringWith(wrap, carryOut(caller, action)))
  const request = yield* CurrentRequest
  // An action without a commit has not stored the answer: the commit of the count stores it.
  if (request?.progress.state !== "answered")
    return yield* meterAnswer(caller, "nlp-payment", answer)
  yield* count(caller)
  return answer
})

/**
 * Understands up to a hundred texts without carrying any out (AI-native endpoints). Yields to other
 * requests between two texts.
 */
export const answerBatch = Effect.fn("answerBatch")(function* (
  caller: Caller,
  { queries }: BatchInput,
) {
  const results = yield* Effect.forEach(queries, (asked) => {
    const { query, context } = typeof asked === "string" ? { query: asked, context: {} } : asked
    const understood = understandQuery(caller, query, context)
    return Effect.map(Effect.andThen(Effect.yieldNow, understood), ({ view }) => view)
  })
  return yield* meterAnswer(caller, "nlp-batch", { results }, queries.length)
})
