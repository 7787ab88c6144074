import { Effect, type Result } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { requireGroup } from "../accounts/authenticate.ts"
import { notProvable } from "../agents/callTool.ts"
import type { ToolProof } from "../agents/Demand.ts"
import type { ShownToken } from "../agents/repeatProven.ts"
import { decodeCall, withoutNulls } from "../agents/ToolCall.ts"
import { requireScope, type Said } from "../keys/requireScope.ts"
import { Failure, type FailureCode } from "../shared/Failure.ts"
import { askRefund } from "./askRefund.ts"
import {
  demandOfPay,
  endSubscription,
  payOnce,
  payOnceProven,
  repeatPay,
  subscribeTo,
} from "./buy.ts"
import { payOwed } from "./payOwed.ts"
import { listPayments } from "./listPayments.ts"
import { showPayment } from "./lookAtPayment.ts"
import { MARKET_INPUTS, type MarketToolName } from "./MarketInput.ts"
import { type MarketTool, marketTool } from "./MarketTool.ts"
import { quotePayment } from "./quotePayment.ts"
import { searchMarket } from "./searchMarket.ts"
import { showBudget } from "./showBudget.ts"
import { showOffer } from "./showOffer.ts"

const unknownTool = (name: string) =>
  new Failure({
    code: "NOT_FOUND",
    message: `No tool ${JSON.stringify(name.slice(0, 64))} exists. Call tools/list for the names.`,
  })

/** Returns the default agent: the key's only one, or the account's own. */
const ownAgent = ({ account, restrictions }: Caller): string => {
  const [only, ...others] = restrictions?.agents ?? []
  return only !== undefined && others.length === 0 ? only : account.agent_id
}

/** Decodes the arguments and calls the use case of the tool. */
const does =
  <I, Code extends FailureCode, A extends object, E, R>(
    decode: (given: object) => Result.Result<I, Failure<Code>>,
    act: (caller: Caller, input: I) => Effect.Effect<A, E, R>,
  ) =>
  (caller: Caller, given: object) =>
    Effect.flatMap(Effect.fromResult(decode(given)), (input) => act(caller, input))

const amounts = { codes: { amount: "INVALID_AMOUNT", currency: "INVALID_AMOUNT" } } as const
const amount = { codes: { amount: "INVALID_AMOUNT" } } as const

const decodePay = decodeCall(MARKET_INPUTS.pay, amounts)

/** The use case of each tool. Unknown arguments are refused. */
const ACTS = {
  search_services: does(decodeCall(MARKET_INPUTS.search_services), searchMarket),
  get_service: does(decodeCall(MARKET_INPUTS.get_service), (caller, { service_id }) =>
    showOffer(caller, service_id),
  ),
  quote: does(decodeCall(MARKET_INPUTS.quote, amounts), quotePayment),
  pay: does(decodePay, (caller, { invoice_id, ...input }) =>
    invoice_id === undefined ? payOnce(caller, input) : payOwed(caller, { ...input, invoice_id }),
  ),
  subscribe: does(decodeCall(MARKET_INPUTS.subscribe, amounts), subscribeTo),
  cancel_subscription: does(decodeCall(MARKET_INPUTS.cancel_subscription), endSubscription),
  get_payment: does(
    decodeCall(MARKET_INPUTS.get_payment),
    (caller, { payment_id, wait_seconds = 0 }) => showPayment(caller, payment_id, wait_seconds),
  ),
  list_payments: does(decodeCall(MARKET_INPUTS.list_payments), listPayments),
  request_refund: does(decodeCall(MARKET_INPUTS.request_refund, amount), askRefund),
  budget: does(decodeCall(MARKET_INPUTS.budget), (caller, { agent_id }) =>
    showBudget(caller, agent_id ?? ownAgent(caller)),
  ),
} as const satisfies { readonly [N in MarketToolName]: unknown }

type Act = (typeof ACTS)[MarketToolName]

/** The tools with an agent. It defaults to the key's agent if the key has only one. */
const ACTING: ReadonlySet<MarketToolName> = new Set(["quote", "pay", "subscribe", "budget"])

/** An invoice names its agent itself. */
const withAgent = (caller: Caller, name: MarketToolName, given: Said): Said =>
  ACTING.has(name) && given["invoice_id"] === undefined && caller.restrictions?.agents !== undefined
    ? { agent_id: ownAgent(caller), ...given }
    : given

/** Returns the fields of a call under the names that a key's restrictions use. */
const about = ({ invoice_id, payment_id, subscription_id, ...rest }: Said): Said => ({
  ...rest,
  record: payment_id ?? subscription_id ?? invoice_id,
})

/**
 * Limits a call to the services and agents of its key. Public data concerns no agent, a search
 * finds only the key's services, the budget of an agent shows only those, and a list of payments
 * has only those of the key's agents.
 */
const checkScope = (caller: Caller, { group, name }: MarketTool, given: Said) => {
  const { restrictions } = caller
  if (restrictions == null || name === "search_services") return Effect.void
  const { agents: _agents, ...ofServices } = restrictions
  const { services: _services, ...ofAgents } = restrictions
  const isOfNoAgent = name === "get_service" || name === "list_payments"
  const held = isOfNoAgent ? ofServices : name === "budget" ? ofAgents : restrictions
  return requireScope({ ...caller, restrictions: held }, group, about(given))
}

/** Returns the arguments of a call, if the key allows the call. */
const admit = Effect.fnUntraced(function* (caller: Caller, tool: MarketTool, said: object) {
  yield* requireGroup(caller, tool.group)
  const given = withAgent(caller, tool.name, withoutNulls(said))
  yield* checkScope(caller, tool, given)
  return given
})

/**
 * Calls a market tool under the caller's key. Returns the current state and the next step.
 *
 * Fails with `NOT_FOUND` for an unknown tool, with `FORBIDDEN` for what the key may not do, and as
 * the use case behind the tool.
 */
export const callMarket = Effect.fn("callMarket")(function* (
  caller: Caller,
  name: string,
  arguments_: object,
) {
  const tool = marketTool(name)
  if (tool === undefined) return yield* unknownTool(name)
  const given = yield* admit(caller, tool, arguments_)
  const act: Act = ACTS[tool.name]
  const answer: object = yield* act(caller, given)
  return answer
})

/** Tells whether a call accepts a proof of payment: one of `pay` that pays no owed invoice. */
export const isProvable = (name: string, given: object): boolean =>
  name === "pay" && (Reflect.get(given, "invoice_id") ?? undefined) === undefined

const readPay = Effect.fnUntraced(function* (caller: Caller, name: string, arguments_: object) {
  const tool = marketTool(name)
  if (tool === undefined) return yield* unknownTool(name)
  if (!isProvable(name, arguments_)) return yield* notProvable()
  const said = yield* Effect.fromResult(decodePay(yield* admit(caller, tool, arguments_)))
  const { invoice_id: _none, ...bought } = said
  return bought
})

/**
 * Returns the terms on which `pay` accepts a payment that its caller begins first and proves.
 *
 * Fails as {@link callMarket} does, and with `INVALID_REQUEST` for another tool and for an owed
 * invoice.
 */
export const demandOfMarket = Effect.fn("demandOfMarket")(
  (caller: Caller, name: string, given: object) =>
    Effect.flatMap(readPay(caller, name, given), (input) => demandOfPay(caller, input)),
)

/** Repeats the answer to a call of `pay` whose proof was used before; undefined for another. */
export const repeatMarket = Effect.fn("repeatMarket")(
  (caller: Caller, name: string, given: object, shown: ShownToken) =>
    Effect.flatMap(readPay(caller, name, given), (input) => repeatPay(caller, input, shown)),
)

/**
 * Calls `pay` with the proof of a payment that the caller has begun for it.
 *
 * Fails as {@link demandOfMarket} and `payProven` do.
 */
export const callMarketProven = Effect.fn("callMarketProven")(
  (caller: Caller, name: string, given: object, proof: ToolProof) =>
    Effect.flatMap(readPay(caller, name, given), (input) => payOnceProven(caller, input, proof)),
)
