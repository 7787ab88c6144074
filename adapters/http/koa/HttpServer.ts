import { Context, Data, Effect, type Exit, Layer, type Redacted, References } from "effect"
import Koa from "koa"
import { createServer, type Server } from "node:http"
import { type AddressInfo, Server as NetServer } from "node:net"
import type { AddressGate } from "../../shared/addresses/AddressGate.ts"
import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  limitConnections,
} from "../../shared/addresses/Connections.ts"
import { KeyedStreams } from "../../shared/KeyedStreams.ts"
import { authenticate } from "../../../core/accounts/authenticate.ts"
import { makeDispatch } from "./dispatch.ts"
import { makeStreams, STREAM_LIMITS, type StreamLimits } from "./eventStreams.ts"
import { Intake } from "../../shared/Intake.ts"
import { answerMalformed } from "./malformed.ts"
import { Responses } from "./Responses.ts"
import { type AccessLog, makeMetrics } from "./telemetry.ts"
import type { Tracing } from "./traceRequest.ts"
import { type OperatorKeys, operatorKeys } from "./operators.ts"
import { type Part, partOf, type Route } from "./Route.ts"

/** The server cannot listen on the address. */
export class ListenError extends Data.TaggedError("ListenError")<{
  readonly host: string
  readonly port: number
  readonly code: string
}> {
  override get message(): string {
    return `Cannot listen on ${this.host}:${this.port} (${this.code}).`
  }
}

/** The settings of the server. Times are in milliseconds. */
export interface ServerOptions {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  /** The key that the operators share. */
  readonly adminKey: Redacted.Redacted
  /** Limits callers by address; no limits unless given. */
  readonly gate?: AddressGate | undefined
  readonly connections?: Partial<ConnectionLimits>
  /** How many requests are served at once, and for how long; with the usual limits unless given. */
  readonly intake?: Intake
  /** The keys that operators have for themselves, asked for at each of their requests. */
  readonly operators?: OperatorKeys
  /**
   * What is served: everything; the operators' part alone (their routes, metrics and health), or
   * everything without it; health and metrics alone, or health.
   */
  readonly part?: Part
  /** What is done before metrics are shown, such as counting what waits; nothing unless given. */
  readonly beforeMetrics?: Effect.Effect<void>
  /** How long the head of a request, and the whole request, may take to arrive. */
  readonly headersTimeout?: number
  readonly requestTimeout?: number
  /** Whether the process is about to stop: it is not ready then, and responses end connections. */
  readonly isLeaving?: () => boolean
  /** How long requests in flight may go on once the server stops. */
  readonly drainWithin?: number
  readonly streams?: Partial<StreamLimits>
  /** How requests are traced; they have no spans unless it is given. */
  readonly tracing?: Tracing | undefined
  /** Which requests have a line in the log; all unless given. */
  readonly accessLog?: AccessLog
  /** Middleware for the paths that are not part of the interface, such as pages. */
  readonly pages?: ReadonlyArray<Koa.Middleware>
}

/** What handlers can read of their server. */
export interface ServerState {
  readonly isDraining: () => boolean
  readonly metrics: Effect.Effect<string>
}

/** The running server. */
export class HttpServer extends Context.Service<
  HttpServer,
  {
    readonly host: string
    readonly port: number
    /** `http://host:port`, without a trailing slash. */
    readonly url: string
    /**
     * Stops accepting, ends event streams, finishes requests in progress and closes connections.
     * Requests that take longer than the drain time are cut off. It runs once, however often it is
     * called.
     */
    readonly drain: Effect.Effect<void>
  }
>()("payport/adapters/http/koa/HttpServer") {}

const HEADERS_TIMEOUT = 5_000
const REQUEST_TIMEOUT = 15_000
const DRAIN_WITHIN = 10_000

/** What every server has. */
const SETTINGS = {
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 500,
  maxHeaderSize: 16 * 1024,
  // Without a Host a request is refused here, in the shape of every other error.
  requireHostHeader: false,
  noDelay: true,
}

const listen = (server: Server, { host, port }: ServerOptions) =>
  Effect.callback<AddressInfo, ListenError>((resume) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      resume(Effect.fail(new ListenError({ host, port, code: error.code ?? "unknown" })))
    })
    server.listen({ host, port }, () => {
      resume(Effect.succeed(server.address() as AddressInfo))
    })
  })

/** How long idle connections are kept for requests that are on their way, in milliseconds. */
const LAST_REQUESTS = 100

/** Runs once the event loop has read everything that had arrived. */
const afterReading = (then: () => void): void => {
  setImmediate(() => setImmediate(then))
}

/**
 * Ends once no response is being written, or after `within` milliseconds. Node's `close` resets
 * idle connections at once, also those whose next request lies unread: it comes a moment later, and
 * at first only no more connections are taken. Every response ends its connection meanwhile.
 */
const drainServer = (server: Server, answering: () => number, within: number) =>
  Effect.callback<void>((resume) => {
    let isLast = false
    const done = () => {
      clearInterval(look)
      clearTimeout(deadline)
      server.closeAllConnections()
      resume(Effect.void)
    }
    const closeIdle = () => {
      isLast = true
      server.close()
    }
    const look = setInterval(() => isLast && answering() === 0 && done(), 10)
    const deadline = setTimeout(done, within)
    afterReading(() => NetServer.prototype.close.call(server))
    setTimeout(() => afterReading(closeIdle), LAST_REQUESTS)
  })

/** The context in which requests run; they have spans only where `traced`. */
const requestContext = <R>(context: Context.Context<R>, traced: boolean): Context.Context<R> =>
  Context.add(context, References.TracerEnabled, traced)

const keyedStreams = <R>(context: Context.Context<R>): KeyedStreams => {
  const run = Effect.runCallbackWith(context)
  return new KeyedStreams(({ address, authorization }, onExit) => {
    const known = authenticate(authorization, address)
    run(known as Effect.Effect<unknown, unknown, R>, { onExit })
  })
}

/** What happens around requests: who may send them, and what is told of them. */
const aroundRequests = ({
  accessLog = "on",
  gate,
  intake = new Intake(),
  tracing,
}: ServerOptions) => ({ accessLog, gate, intake, tracing })

const hostInUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host)

/**
 * Serves the routes until its scope ends, and drains then. `routes` receives the server's state for
 * the handlers. Requests run in the context that the layer is built in.
 *
 * Fails with `ListenError`.
 */
export const layer = <R>(
  options: ServerOptions,
  routes: (state: ServerState) => ReadonlyArray<Route<R>>,
): Layer.Layer<HttpServer, ListenError, R> =>
  Layer.effect(
    HttpServer,
    Effect.gen(function* () {
      const context = requestContext(yield* Effect.context<R>(), options.tracing !== undefined)
      const metrics = yield* makeMetrics
      const responses = new Responses()
      const isDraining = () => responses.isDraining() || options.isLeaving?.() === true
      const shown = Effect.andThen(options.beforeMetrics ?? Effect.void, Effect.sync(metrics.text))
      const run = Effect.runCallbackWith(context)
      const streams = makeStreams<R>(
        (effect, onExit) => void run(effect, { onExit }),
        { ...STREAM_LIMITS, ...options.streams },
        metrics.streaming,
      )

      const koa = new Koa()
      koa.on("error", (error: Error) => {
        if (!isHangUp(error)) run(Effect.logError("middleware failed", error), { onExit: ignore })
      })
      koa.use(
        makeDispatch({
          routes: partOf(routes({ isDraining, metrics: shown }), options.part),
          context,
          operators: operatorKeys(options.adminKey, options.operators),
          metrics,
          streams,
          keyed: keyedStreams(context),
          isDraining: responses.isDraining,
          ...aroundRequests(options),
        }),
      )
      for (const page of options.pages ?? []) koa.use(page)

      const server = createServer({
        headersTimeout: options.headersTimeout ?? HEADERS_TIMEOUT,
        requestTimeout: options.requestTimeout ?? REQUEST_TIMEOUT,
        ...SETTINGS,
      })
      limitConnections(server, { ...CONNECTION_LIMITS, ...options.connections }, options.gate)
      const onRequest = responses.listener(koa.callback())
      server.on("request", onRequest)
      server.on("checkExpectation", onRequest)
      server.on("clientError", answerMalformed)

      const address = yield* listen(server, options)
      const drain = yield* Effect.cached(
        Effect.suspend(() => {
          responses.drain()
          streams.closeAll()
          return drainServer(server, responses.answering, options.drainWithin ?? DRAIN_WITHIN)
        }),
      )
      yield* Effect.addFinalizer(() => drain)
      return {
        host: options.host,
        port: address.port,
        url: `http://${hostInUrl(options.host)}:${address.port}`,
        drain,
      }
    }),
  )

const isHangUp = ({ code }: NodeJS.ErrnoException): boolean =>
  code === "ECONNRESET" || code === "EPIPE" || code === "ERR_STREAM_PREMATURE_CLOSE"

const ignore = (_exit: Exit.Exit<void>): void => {}
