import { Context, Effect, Exit, References } from "effect"
import FindMyWay from "find-my-way"
import type { Incoming, Outgoing } from "../../shared/Exchange.ts"
import { CurrentAsker } from "../../../core/shared/CurrentAsker.ts"
import { CurrentDeadline, type Deadline } from "../../../core/shared/CurrentDeadline.ts"
import { CurrentCaller } from "../../shared/CurrentCaller.ts"
import { requestId } from "../../shared/requestId.ts"
import type { ErrorShape } from "../contract/Errors.ts"
import { USUAL_LIMIT } from "../contract/Route.ts"
import { type Answer, explain, headOf, refused, RequestAsker, respond, tooSlow } from "./respond.ts"
import type { EventFeed } from "../../shared/streams/EventFeed.ts"
import { EVENT_STREAM, type WireEvent } from "../../shared/streams/eventStreams.ts"
import { isProbed, logRequest } from "./telemetry.ts"
import { traceRequest } from "./traceRequest.ts"
import { tooLate } from "../../shared/Intake.ts"
import type { Target } from "./readRequest.ts"
import { Refusals } from "./Refusals.ts"
import type { Route, RouteMatch } from "./Route.ts"
import { countedAs, type Exchange, isRecognized, serve } from "./serve.ts"
import type { Dispatch, DispatchOptions, Found } from "./Dispatcher.ts"
import { answerUnrouted } from "./unrouted.ts"

/** A parameter: 1 to 128 characters of any script, except those that databases cannot store. */
const NAME = /^[^\p{Cc}\p{Cs}]{1,128}$/u

/** 128 characters of four bytes each, percent-encoded. */
const MOST_ENCODED = 128 * 12

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const
type Method = (typeof METHODS)[number]

const isMethod = (method: string): method is Method => METHODS.some((known) => known === method)

/** Returns the part of a path that the routes of one resource share, such as `/v1/refunds`. */
const familyOf = (path: string): string => path.split("/", 3).join("/")

/** Returns the shape of the errors of each family whose routes all have the same one. */
const shapesOf = <R>(routes: ReadonlyArray<Route<R>>): ReadonlyMap<string, ErrorShape> => {
  const shapes = new Map<string, ErrorShape>()
  for (const { path, shape } of routes) {
    const family = familyOf(path)
    shapes.set(family, (shapes.get(family) ?? shape) === shape ? shape : "flat")
  }
  return shapes
}

/**
 * Returns a function that finds the route of a method and a path. `HEAD` matches `GET`. A path with
 * an invalid percent-encoding, or a parameter that cannot be a name, matches nothing. Where nothing
 * matches, the error has the shape of the family's routes (Errors).
 */
const makeRouter = <R>(routes: ReadonlyArray<Route<R>>) => {
  const router = FindMyWay({ caseSensitive: true, maxParamLength: MOST_ENCODED })
  const byHandler = new Map<unknown, Route<R>>()
  for (const route of routes) {
    if (!isMethod(route.method)) throw new Error(`No router for the method ${route.method}`)
    const mark = () => undefined
    byHandler.set(mark, route)
    router.on(route.method, route.path, mark)
  }
  const shapes = shapesOf(routes)

  const look = (method: Method, path: string) => {
    const found = router.find(method, path)
    const route = found === null ? undefined : byHandler.get(found.handler)
    return found === null || route === undefined ? undefined : { route, params: found.params }
  }

  return (method: string, path: string): RouteMatch<R> => {
    const wanted = method === "HEAD" ? "GET" : method
    const found = isMethod(wanted) ? look(wanted, path) : undefined
    if (found === undefined) {
      const known = METHODS.flatMap((other) => look(other, path) ?? [])
      const shape = known[0]?.route.shape
      if (shape === undefined) {
        return { type: "nothing", shape: shapes.get(familyOf(path)) ?? "flat" }
      }
      const allow = known.flatMap(({ route }) =>
        route.method === "GET" ? ["GET", "HEAD"] : [route.method],
      )
      return { type: "methods", allow, shape }
    }
    for (const name in found.params) {
      if (!NAME.test(found.params[name] ?? "")) {
        return { type: "nothing", shape: found.route.shape }
      }
    }
    return { type: "route", ...found }
  }
}

const answerRequest = <R>(
  found: RouteMatch<R>,
  exchange: Exchange,
  id: string,
  options: DispatchOptions<R>,
): Effect.Effect<Answer<R>, never, R> => {
  if (found.type !== "route") {
    return answerUnrouted(found, exchange, id) as Effect.Effect<Answer<R>, never, R>
  }
  const serving = serve(found.route, exchange, options)
  const admitted = found.route.streams
    ? Effect.tap(serving, () => options.streams.admit(exchange.account_id))
    : serving
  return Effect.catchCause(admitted as Effect.Effect<Answer<R>, unknown, R>, (cause) =>
    explain(cause, id, found.route.shape),
  )
}

/** A request that is being served, and whether its answer has been sent. */
interface Serving<R> {
  readonly exchange: Exchange
  readonly found: RouteMatch<R>
  readonly res: Outgoing
  readonly started: number
  isAnswered: boolean
}

const routeOf = <R>(found: RouteMatch<R>) => (found.type === "route" ? found.route.path : null)

const shapeOf = <R>(found: RouteMatch<R>): ErrorShape =>
  found.type === "route" ? found.route.shape : found.shape

/** Answers a request, unless its address has sent too many. */
const answerGated = <R>(
  found: RouteMatch<R>,
  exchange: Exchange,
  id: string,
  options: DispatchOptions<R>,
): Effect.Effect<Answer<R>, never, R> => {
  const { gate } = options
  const counted = countedAs(found.type === "route" ? found.route : undefined, exchange)
  if (gate === undefined || counted === "nothing") {
    return answerRequest(found, exchange, id, options)
  }
  const { address } = exchange
  const { authorization } = exchange.req.headers
  const isRequest = counted === "request"
  const refusal = isRequest ? gate.admit(address) : gate.admitKey(address, authorization)
  if (refusal !== undefined) return Effect.succeed(refused(refusal, shapeOf(found)))
  const answering = answerRequest(found, exchange, id, options)
  if (isRequest) return answering
  return Effect.map(answering, (answer) => {
    const access = found.type === "route" ? found.route.access : "account"
    if (isRecognized(access, exchange, answer)) gate.rightKey(authorization)
    else if (answer.status >= 400 && answer.status < 500) gate.wrongKey(address)
    return answer
  })
}

const send = <R>(
  res: Outgoing,
  answer: Answer<R>,
  {
    exchange,
    found,
    id,
  }: { readonly exchange: Exchange; readonly found: RouteMatch<R>; readonly id: string },
  options: DispatchOptions<R>,
): void => {
  const { req, account_id: accountId, idempotency_key: idempotencyKey, fields, standing } = exchange
  const close = options.isDraining()
  const { age } = exchange.asker
  const common = { requestId: id, idempotencyKey, standing, fields, age, close }
  if (answer.type === "none") {
    res.destroy()
  } else if (answer.type === "body") {
    const limit = found.type === "route" ? found.route.limit : USUAL_LIMIT
    respond(req, res, answer, common, limit)
  } else if (!res.destroyed) {
    res.writeHead(200, [...headOf(common), ...EVENT_STREAM])
    if (req.method === "HEAD" || close) {
      res.end()
      return
    }
    const seen = req.headers["last-event-id"]
    const lastEventId = typeof seen === "string" ? seen : undefined
    const feed = answer.feed as EventFeed<WireEvent, unknown, R>
    const onKeyEnd = (end: () => void) => options.keyed.watch(req, res, exchange.address, end)
    options.streams.open(res, feed, { accountId, lastEventId, onKeyEnd })
  }
}

/** Returns a function that serves a request, with or without a route, and answers it once. */
const makeServing = <R>(options: DispatchOptions<R>) => {
  const { accessLog, context, tracing } = options
  const annotations = Context.get(context, References.CurrentLogAnnotations)

  const finish = (served: Serving<R>, answer: Answer<R>) => {
    const { exchange, found, res, started } = served
    if (served.isAnswered) return Effect.void
    served.isAnswered = true
    send(res, answer, { exchange, found, id: exchange.request_id }, options)
    const { account_id, request_id } = exchange
    const route = routeOf(found)
    const [method, status] = [exchange.req.method, answer.status]
    options.metrics.ended(route ?? "none", method ?? "none", status, performance.now() - started)
    const code = answer.type === "body" ? answer.code : null
    const noted = { request_id, account_id, method, route, status, code, started }
    return logRequest(noted, accessLog)
  }

  /** Adds everything to the context at the start. Providing a service later costs more. */
  const contextOf = (exchange: Exchange, deadline: Deadline | undefined) => {
    const named = { ...annotations, request_id: exchange.request_id }
    const asked = Context.add(context, CurrentAsker, exchange.asker)
    const noted = Context.add(asked, References.CurrentLogAnnotations, named)
    const timed = deadline === undefined ? noted : Context.add(noted, CurrentDeadline, deadline)
    return tracing === undefined ? timed : Context.add(timed, CurrentCaller, exchange)
  }

  const begin = (served: Serving<R>, end: () => void): void => {
    const { exchange, found, res, started } = served
    if (res.destroyed) return end()
    options.metrics.started()
    const isHurried = found.type === "route" && !found.route.unhurried
    const deadline = isHurried ? options.intake.deadline(started) : undefined
    const answering = Effect.flatMap(
      answerGated(found, exchange, exchange.request_id, options),
      (answer) => Effect.as(finish(served, answer), answer.status),
    )
    const { req } = exchange
    const whole = tracing ? traceRequest(tracing, req, routeOf(found), answering) : answering
    let interrupt = () => {}
    const late = () => {
      const shape = shapeOf(found)
      const told = exchange.arriving ? tooSlow(shape) : refused(tooLate(exchange.acted), shape)
      Effect.runSyncWith(context)(finish(served, told))
      interrupt()
    }
    const stopWaiting = deadline && options.intake.afterwards(deadline, late)
    const onExit = (exit: Exit.Exit<unknown>) => {
      stopWaiting?.()
      if (Exit.isFailure(exit) && !served.isAnswered) res.destroy()
      end()
    }
    interrupt = Effect.runCallbackWith(contextOf(exchange, deadline))(whole, { onExit })
  }

  return begin
}

/** Serves the contract's routes. */
export const makeDispatch = <R>(options: DispatchOptions<R>): Dispatch<R> => {
  const look = makeRouter(options.routes)
  const begin = makeServing(options)
  const refusals = new Refusals(options)

  const find = (req: Incoming, { path, query }: Target): Found<R> => {
    const started = performance.now()
    return { path, query, match: look(req.method ?? "", path), started }
  }

  const serveFound = async (req: Incoming, res: Outgoing, of: Found<R>): Promise<void> => {
    const { match: found, path, query, started } = of
    // Probes need no place, because they matter most during an overload.
    const isProbe = found.type === "route" && isProbed(found.route.path)
    const { intake } = options
    if (!isProbe && (intake.isShareTaken(req.headers.authorization) || !intake.admit())) {
      return refusals.refuse({ req, res, route: routeOf(found), shape: shapeOf(found), started })
    }
    const exchange: Exchange = {
      req,
      path,
      query,
      params: found.type === "route" ? found.params : {},
      address: options.gate?.addressOf(req) ?? req.socket.remoteAddress ?? "",
      account_id: null,
      asker: new RequestAsker(found.type === "route" && found.route.mayBeStale),
      request_id: requestId(req),
      idempotency_key: null,
      standing: null,
      fields: { ignored: null, strict: false },
      acted: false,
      arriving: false,
      placed: !isProbe,
      counted: null,
    }
    const served: Serving<R> = { exchange, found, res, started, isAnswered: false }
    await new Promise<void>((resolve) => {
      if (isProbe) begin(served, resolve)
      else intake.inTurn(() => begin(served, resolve))
    })
    if (exchange.placed) intake.leave()
    if (exchange.counted !== null) intake.leaveAccount(exchange.counted)
  }

  const serveSafely: Dispatch<R>["serve"] = (req, res, found) =>
    serveFound(req, res, found).catch((error: unknown) => {
      Effect.runSyncWith(options.context)(Effect.logError("a request could not be served", error))
      res.destroy()
    })

  return { find, serve: serveSafely }
}
