import { Context, Effect, Exit, type Redacted, References } from "effect"
import type { Middleware } from "koa"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Failure } from "../../../core/shared/Failure.ts"
import { requestId } from "../../shared/requestId.ts"
import type { ErrorShape } from "../contract/Errors.ts"
import { USUAL_LIMIT } from "../contract/Route.ts"
import { type Answer, explain, refused } from "./Answer.ts"
import type { EventFeed } from "./EventFeed.ts"
import type { Streams, WireEvent } from "./follow.ts"
import type { HttpMetrics } from "./metrics.ts"
import { headOf, respond } from "./respond.ts"
import type { Route } from "./Route.ts"
import { type Found, makeRouter } from "./router.ts"
import { admitCaller, type Exchange, serve } from "./serve.ts"
import { makeTurns } from "./turns.ts"

/** What the dispatcher works with. */
export interface Dispatching<R> {
  readonly routes: ReadonlyArray<Route<R>>
  readonly context: Context.Context<R>
  readonly adminKey: Redacted.Redacted
  readonly metrics: HttpMetrics
  readonly streams: Streams<R>
  readonly isDraining: () => boolean
}

/** The path and the query of a request's target, which a proxy may send with its origin. */
const targetOf = (req: IncomingMessage): { readonly path: string; readonly query: string } => {
  const target = (req.url ?? "/").replace(/^https?:\/\/[^/?#]*/i, "")
  const mark = target.indexOf("?")
  return mark < 0
    ? { path: target, query: "" }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

const unknownRoute = () =>
  new Failure({ code: "NOT_FOUND", message: "No such route. GET /openapi.json lists them all." })

const wrongMethod = (allow: ReadonlyArray<string>, shape: ErrorShape): Answer<never> =>
  refused(
    new Failure({
      code: "METHOD_NOT_ALLOWED",
      message: `This route takes ${allow.join(", ")}.`,
      details: { allow },
    }),
    shape,
    ["Allow", allow.join(", ")],
  )

/**
 * Answers what no route takes. A caller with a good key has made a request all the same; who has
 * none is told no more than that there is nothing.
 */
const strayed = Effect.fnUntraced(function* (
  found: Exclude<Found<unknown>, { readonly type: "route" }>,
  exchange: Exchange,
  id: string,
) {
  const { shape } = found
  if (exchange.req.headers.authorization !== undefined) {
    const exit = yield* Effect.exit(admitCaller(exchange, "standard"))
    if (Exit.isFailure(exit) && exchange.account_id !== null) {
      return yield* explain(exit.cause, id, shape)
    }
  }
  return found.type === "nothing" ? refused(unknownRoute(), shape) : wrongMethod(found.allow, shape)
})

/** Routes that are asked so often and say so little that their log lines would drown the others. */
const QUIET = new Set(["/healthz", "/readyz", "/metrics"])

/** Proxies that gather what they pass on would hold events back. */
const EVENT_STREAM = ["Content-Type", "text/event-stream; charset=utf-8", "X-Accel-Buffering", "no"]

interface Served {
  readonly answer: Answer<unknown>
  readonly exchange: Exchange
  readonly found: Found<unknown>
  readonly id: string
  readonly started: number
}

const log = ({ answer, exchange, found, id, started }: Served) => {
  const route = found.type === "route" ? found.route.path : null
  const line =
    answer.status === 500
      ? Effect.logError("request")
      : answer.status > 500
        ? Effect.logWarning("request")
        : route !== null && QUIET.has(route)
          ? Effect.logDebug("request")
          : Effect.logInfo("request")
  return Effect.provideService(line, References.CurrentLogAnnotations, {
    request_id: id,
    ...(exchange.account_id !== null && { account_id: exchange.account_id }),
    method: exchange.req.method,
    route,
    status: answer.status,
    ...(answer.type === "body" && answer.code !== null && { code: answer.code }),
    duration_ms: Math.round((performance.now() - started) * 100) / 100,
  })
}

const answerTo = Effect.fnUntraced(function* <R>(
  found: Found<R>,
  exchange: Exchange,
  id: string,
  work: Dispatching<R>,
): Effect.fn.Return<Answer<R>, never, R> {
  if (found.type !== "route") {
    return yield* strayed(found, exchange, id) as Effect.Effect<Answer<R>, never, R>
  }
  const serving = serve(found.route, exchange, work.adminKey)
  const admitted = found.route.streams
    ? Effect.tap(serving, () => work.streams.admit(exchange.account_id))
    : serving
  const exit = yield* Effect.exit(admitted as Effect.Effect<Answer<R>, unknown, R>)
  return Exit.isSuccess(exit) ? exit.value : yield* explain(exit.cause, id, found.route.shape)
})

const send = <R>(
  res: ServerResponse,
  answer: Answer<R>,
  { exchange, found, id }: Pick<Served, "exchange" | "found" | "id">,
  work: Dispatching<R>,
): void => {
  const { req, account_id: accountId, idempotency_key: idempotencyKey, standing } = exchange
  const common = { requestId: id, idempotencyKey, standing, close: work.isDraining() }
  if (answer.type === "none") {
    res.destroy()
  } else if (answer.type === "body") {
    const limit = found.type === "route" ? found.route.limit : USUAL_LIMIT
    respond(req, res, answer, common, limit)
  } else if (!res.destroyed) {
    res.writeHead(200, [...headOf(common), ...EVENT_STREAM])
    if (req.method === "HEAD" || work.isDraining()) {
      res.end()
      return
    }
    const seen = req.headers["last-event-id"]
    const lastEventId = typeof seen === "string" ? seen : undefined
    const feed = answer.feed as EventFeed<WireEvent, unknown, R>
    work.streams.open(res, feed, { accountId, lastEventId })
  }
}

/**
 * Serves the contract's routes. A path that is none of them goes to the next middleware, and is
 * answered with the flat `NOT_FOUND` when nobody there knows it either.
 */
export const makeDispatch = <R>(work: Dispatching<R>): Middleware => {
  const find = makeRouter(work.routes)
  const run = Effect.runCallbackWith(work.context)
  const inTurn = makeTurns()

  const serveOne = Effect.fnUntraced(function* (
    found: Found<R>,
    exchange: Exchange,
    res: ServerResponse,
    started: number,
  ) {
    const id = exchange.request_id
    const answer = yield* answerTo(found, exchange, id, work).pipe(
      Effect.annotateLogs("request_id", id),
    )
    send(res, answer, { exchange, found, id }, work)
    const route = found.type === "route" ? found.route.path : "none"
    const method = exchange.req.method ?? "none"
    work.metrics.ended(route, method, answer.status, performance.now() - started)
    yield* log({ answer, exchange, found, id, started })
  })

  return async (ctx, next) => {
    const { req, res } = ctx
    const started = performance.now()
    const target = targetOf(req)
    const found = find(req.method ?? "", target.path)
    if (found.type === "nothing") {
      await next()
      if (ctx.respond === false || ctx.status !== 404 || ctx.body !== undefined) return
    }
    ctx.respond = false
    const params = found.type === "route" ? found.params : {}
    const exchange: Exchange = {
      req,
      ...target,
      params,
      account_id: null,
      request_id: requestId(req),
      idempotency_key: null,
      standing: null,
    }
    await new Promise<void>((resolve) => {
      inTurn(() => {
        if (res.destroyed) return resolve()
        work.metrics.started()
        run(serveOne(found, exchange, res, started), {
          onExit: (exit) => {
            if (Exit.isFailure(exit)) res.destroy()
            resolve()
          },
        })
      })
    })
  }
}

/** The context in which requests run: without spans unless they are wanted. */
export const requestContext = <R>(
  context: Context.Context<R>,
  traced: boolean,
): Context.Context<R> => Context.add(context, References.TracerEnabled, traced)
