import { Effect, Result } from "effect"
import type { Incoming } from "../../shared/Exchange.ts"
import { byKey } from "../../../core/accountLog/logged.ts"
import { noteRefusals } from "../../../core/accountLog/noteRefusals.ts"
import type { KnownUses } from "../../../core/accountLog/KnownUses.ts"
import { noteUse } from "../../../core/accountLog/noteUse.ts"
import type { Caller } from "../../../core/accounts/Account.ts"
import { authenticate, requireGroup } from "../../../core/accounts/authenticate.ts"
import { isScoped } from "../../../core/accounts/KeyRestrictions.ts"
import { CurrentOperator, type Operator } from "../../../core/audit/CurrentOperator.ts"
import { admitRequest } from "../../../core/billing/limitRequests.ts"
import type { RateClass, Standing } from "../../../core/billing/RateWindow.ts"
import { answerOnce } from "../../../core/idempotency/answerOnce.ts"
import { requireScope } from "../../../core/keys/requireScope.ts"
import { type Failure, invalidField } from "../../../core/shared/Failure.ts"
import { canonicalJson } from "../../../core/shared/Text.ts"
import { errorBody } from "../contract/Errors.ts"
import { USUAL_LIMIT } from "../contract/Route.ts"
import { type Answer, body, picture, type RequestAsker } from "./respond.ts"
import { BodyBudget } from "./BodyBudget.ts"
import type { EventFeed } from "../../shared/streams/EventFeed.ts"
import { type Intake, overloaded } from "../../shared/Intake.ts"
import type { HandlerError } from "./Handlers.ts"
import { authenticateOperator, type OperatorKeys } from "./operators.ts"
import { unknownFields } from "../../../core/shared/Decode.ts"
import {
  idempotencyKey,
  ignoredFields,
  parseQuery,
  prefersStrict,
  readInput,
} from "./readRequest.ts"
import type { Route } from "./Route.ts"
import { isProbed } from "./telemetry.ts"
import { HandlerResponse } from "./HandlerResponse.ts"

/** A request in progress. Its mutable fields are set as they become known. */
export interface Exchange {
  readonly req: Incoming
  /** The path as sent, without the query. */
  readonly path: string
  readonly query: string
  readonly params: { readonly [name: string]: string | undefined }
  /** The client's address, also behind trusted proxies. */
  readonly address: string
  account_id: string | null
  readonly asker: RequestAsker
  /** The request's name in the log and in the audit log. */
  readonly request_id: string
  /** The valid Idempotency-Key of a POST, which the answer repeats. */
  idempotency_key: string | null
  /** The account's use of its rate, for the response's headers. Null if no rate applies. */
  standing: Standing | null
  /** The names of the body's ignored fields, and whether unknown fields are refused. */
  fields: { readonly ignored: string | null; readonly strict: boolean }
  /** Whether its use case has begun and may change something. */
  acted: boolean
  /** Whether it waits for the rest of its body. */
  arriving: boolean
  /** Whether it holds a place among the requests in progress. */
  placed: boolean
  /** The account whose share of those places it uses. */
  counted: string | null
}

/** The account of the operators' stored answers. No account has this id. */
const OPERATOR = "acct_00000000-0000-7000-8000-000000000000"
/** One budget for all servers of a process, because they share its memory. */
const largeBodies = new BodyBudget()
const REPLAYED = ["Idempotent-Replayed", "true"]

const statusOf = <R>({ status, statusOf: special }: Route<R>, view: unknown): number =>
  special === null || typeof view !== "object" || view === null ? status : (special(view) ?? status)

/** Returns the handler's result as a response. */
const answerWith = <R>(route: Route<R>, view: unknown): Answer<R> => {
  if (route.streams) {
    return { type: "events", status: 200, feed: view as EventFeed<unknown, HandlerError, R> }
  }
  if (view instanceof HandlerResponse) {
    const { headers, status, type = route.contentType, view: shown } = view
    const text = typeof shown === "string" ? shown : JSON.stringify(shown)
    return body(status, text, type, Object.entries(headers).flat())
  }
  if (view instanceof Uint8Array) return picture(statusOf(route, view), view)
  return typeof view === "string"
    ? body(statusOf(route, view), view, route.textType)
    : body(statusOf(route, view), JSON.stringify(view), route.contentType)
}

/** The caller of a request, its decoded query and its body. */
interface RequestParts {
  readonly caller: Caller | null
  readonly query: unknown
  readonly input: unknown
}

/** Records the refusals of restricted keys in their account's log. */
const noted = <A, E, R>(caller: Caller | null, doing: () => Effect.Effect<A, E, R>) =>
  caller?.restrictions == null
    ? Effect.suspend(doing)
    : noteRefusals(byKey(caller), Effect.suspend(doing))

/** Decodes the body and runs the handler, under the Idempotency-Key if there is one. */
const runHandler = <R>(route: Route<R>, exchange: Exchange, request: RequestParts) => {
  const { caller, query, input } = request
  const handling = noted(caller, () => {
    exchange.acted = route.method !== "GET"
    const decoded = route.body === "bytes" ? Result.succeed(input) : route.decodePayload(input)
    if (Result.isFailure(decoded)) return Effect.fail(decoded.failure)
    const {
      address,
      params,
      req: { headers },
    } = exchange
    return route.handler({ params, query, payload: decoded.success, headers, caller, address })
  })
  const key = exchange.idempotency_key
  if (key === null || route.idempotency === null) {
    return Effect.map(handling, (view) => answerWith(route, view))
  }
  // The answer to another key may hold more than a restricted key may see, such as a new key.
  const own = caller?.restrictions == null ? "" : ` ${caller.api_key_id}`
  const answering = answerOnce(
    {
      account_id: caller?.account.id ?? OPERATOR,
      key,
      request: `${route.method} ${exchange.path} ${canonicalJson(input)}${own}`,
      render: (view) => `${statusOf(route, view)}${JSON.stringify(view)}`,
      renderFailure: (failure, status) =>
        `${status}${JSON.stringify(errorBody(failure, route.shape))}`,
      optimistic: route.idempotency === "optimistic",
    },
    handling,
  )
  return Effect.map(answering, ({ replayed, text }): Answer<R> => {
    const headers = replayed ? REPLAYED : []
    return body(Number(text.slice(0, 3)), text.slice(3), route.contentType, headers)
  })
}

/**
 * Authenticates the caller and counts the request against the rate of its plan. The response shows
 * that rate.
 */
export const admitCaller = (exchange: Exchange, rate: RateClass) =>
  Effect.flatMap(
    authenticate(exchange.req.headers.authorization, exchange.address),
    (caller: Caller) => {
      exchange.account_id = exchange.asker.name = caller.account.id
      return Effect.flatMap(admitRequest(caller, rate), (admission) => {
        if (admission === null) return Effect.succeed(caller)
        exchange.standing = admission.standing
        return admission.refusal === null ? Effect.succeed(caller) : Effect.fail(admission.refusal)
      })
    },
  )

/**
 * Records the body's unknown fields for the answer's header. Under `Prefer: handling=strict` they
 * are refused before an Idempotency-Key is used up. A query parameter in the body is always
 * refused, since whoever sends one believes that it has an effect.
 */
const checkFields = <R>(route: Route<R>, exchange: Exchange, input: unknown, scoped: boolean) => {
  // The scope check reads the fields of the request, so unknown ones are refused for scoped keys.
  const strict = scoped || prefersStrict(exchange.req)
  const unknown = route.findUnknown(input)
  const [first] = unknown
  const misplaced = unknown.find(({ field }) => route.queryNames.has(field))
  if (misplaced !== undefined) {
    return invalidField(misplaced.field, "must be sent in the query, not in the body")
  }
  const refused = strict && first !== undefined
  exchange.fields = { strict, ignored: refused ? null : ignoredFields(unknown) }
  return refused ? unknownFields(first, unknown) : undefined
}

/** Refuses requests outside the services and agents to which the caller's key is restricted. */
const checkScope = <R>(
  { group, scopedBy }: Route<R>,
  { params: { id, ...params } }: Exchange,
  { caller, input, query }: RequestParts,
) =>
  scopedBy === null || caller === null
    ? Effect.void
    : noted(caller, () =>
        requireScope(
          caller,
          group,
          { ...params, [scopedBy]: id },
          { ...(query as object) },
          { ...(input as object) },
        ),
      )

/**
 * Reads the rest of the body without holding a place, so that slow senders do not block others.
 * Fails with `OVERLOADED` if no place is free afterwards.
 */
const readInBetween = <A, E>(
  exchange: Exchange,
  intake: Intake,
  reading: Effect.Effect<A, E>,
): Effect.Effect<A, E | Failure<"OVERLOADED">> =>
  Effect.suspend(() => {
    if (exchange.req.complete || !exchange.placed) return reading
    const { counted } = exchange
    exchange.placed = false
    exchange.arriving = true
    exchange.counted = null
    intake.leave()
    if (counted !== null) intake.leaveAccount(counted)
    return Effect.tap(reading, () => {
      exchange.arriving = false
      exchange.placed = intake.admit()
      if (counted !== null && intake.admitAccount(counted)) exchange.counted = counted
      const isTaken = exchange.placed && exchange.counted === counted
      return isTaken ? Effect.void : Effect.fail(overloaded())
    })
  })

/** The parts that serving a request needs. */
export interface ServeOptions {
  readonly intake: Intake
  readonly operators: OperatorKeys
  readonly knownUses: KnownUses
}

/**
 * Serves a request of a route: authenticates, decodes, runs the handler. A caller without a valid
 * key is refused before the body is read. Only requests with a valid key count against a rate.
 */
export const serve = Effect.fnUntraced(function* <R>(
  route: Route<R>,
  exchange: Exchange,
  { intake, knownUses, operators }: ServeOptions,
) {
  const { req } = exchange
  let caller: Caller | null = null
  let operator: Operator | null = null
  if (route.access === "account") {
    caller = yield* admitCaller(exchange, route.rateClass)
    const { id } = caller.account
    if (!intake.admitAccount(id, req.headers.authorization)) return yield* overloaded()
    exchange.counted = id
    if (caller.restrictions != null) {
      const { group } = route
      yield* noteRefusals(byKey(caller), requireGroup(caller, group))
      yield* noteUse(knownUses, byKey(caller), { group, address: exchange.address })
    }
  } else if (route.access === "admin") {
    operator = yield* authenticateOperator(req, operators(), route.role, exchange.request_id)
    exchange.asker.name = OPERATOR
  }
  // A route without key and query parameters ignores the query.
  const query =
    route.access === "none" && route.queryNames.size === 0
      ? undefined
      : yield* Effect.fromResult(
          Result.flatMap(parseQuery(exchange.query, route.queryNames), route.decodeQuery),
        )
  if (route.idempotency !== null) {
    exchange.idempotency_key = (yield* Effect.fromResult(idempotencyKey(req))) ?? null
  }
  const held =
    route.limit > USUAL_LIMIT ? largeBodies.open(caller?.account.id ?? OPERATOR) : undefined
  const reading = readInBetween(exchange, intake, readInput(route, req, held))
  const acting = Effect.flatMap(reading, (input) => {
    const request = { caller, query, input }
    const scoped = caller?.restrictions != null && isScoped(caller.restrictions)
    const refusal = checkFields(route, exchange, input, scoped)
    if (refusal !== undefined) return Effect.fail(refusal)
    const running = runHandler(route, exchange, request)
    return scoped ? Effect.andThen(checkScope(route, exchange, request), running) : running
  })
  const whole = held === undefined ? acting : Effect.ensuring(acting, Effect.sync(held.release))
  if (operator === null) return yield* whole
  return yield* Effect.provideService(whole, CurrentOperator, operator)
})

/** Returns what counts against the address: a request, or the failure of a key or signature. */
export const countedAs = <R>(
  route: Route<R> | undefined,
  { req: { headers } }: Exchange,
): "request" | "key" | "nothing" => {
  if (route === undefined) return headers.authorization === undefined ? "request" : "key"
  if (isProbed(route.path)) return "nothing"
  return route.access === "none" && route.method !== "POST" ? "request" : "key"
}

/** Whether the caller is known. A channel is known if its signature was not refused. */
export const isRecognized = <R>(
  access: Route<R>["access"],
  { account_id }: Exchange,
  { status }: Answer<R>,
): boolean => {
  if (access === "account") return account_id !== null
  return access === "admin" ? status !== 401 && status < 500 : status === 409 || status === 422
}
