import { Context, Data, Effect, type Exit, Layer, type Redacted } from "effect"
import Koa from "koa"
import { createServer, type Server } from "node:http"
import { type AddressInfo, Server as NetServer, type Socket } from "node:net"
import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  limitConnections,
  LISTEN_BACKLOG,
} from "../../shared/addresses/Connections.ts"
import type { Dispatch } from "./Dispatcher.ts"
import { type InterfaceOptions, openInterface, type ServerState } from "./Interface.ts"
import { answersMalformed } from "./malformed.ts"
import { targetOf } from "./readRequest.ts"
import { Responses } from "./Responses.ts"
import type { Route } from "./Route.ts"

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

/** The settings of the server, with times in milliseconds. */
export interface ServerOptions extends InterfaceOptions {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** A server of {@link holdServer} that already listens on the address. By default one is made. */
  readonly place?: Server
  /** The key that the operators share. */
  readonly adminKey: Redacted.Redacted
  readonly connections?: Partial<ConnectionLimits>
  /** Time limits for receiving the head of a request, and the whole request. */
  readonly headersTimeout?: number
  readonly requestTimeout?: number
  /** Whether the process will stop soon. It is not ready then, and responses close connections. */
  readonly isLeaving?: () => boolean
  /** Time limit for requests in progress once the server stops. */
  readonly drainWithin?: number
  /** Middleware for paths outside the interface, such as pages. */
  readonly pages?: ReadonlyArray<Koa.Middleware>
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
     * Stops accepting connections, ends event streams, finishes requests in progress and closes
     * connections. Requests beyond the drain time are cut off. Runs once, however often it is
     * called.
     */
    readonly drain: Effect.Effect<void>
  }
>()("payport/adapters/http/koa/HttpServer") {}

const HEADERS_TIMEOUT = 5_000
const REQUEST_TIMEOUT = 15_000
const DRAIN_WITHIN = 10_000

/** The settings of every server. */
const SETTINGS = {
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 500,
  maxHeaderSize: 16 * 1024,
  // A request without a Host is refused by our code, in the shape of every other error.
  requireHostHeader: false,
  noDelay: true,
}

const turnAway = (early: Socket): void => void early.destroy()

const makeServer = (): Server =>
  createServer({ headersTimeout: HEADERS_TIMEOUT, requestTimeout: REQUEST_TIMEOUT, ...SETTINGS })

/**
 * Makes a server for {@link layer} that listens before it can answer. It closes connections that
 * come too early.
 */
export const holdServer = (): Server => makeServer().on("connection", turnAway)

const listen = (server: Server, { host, port }: ServerOptions) =>
  Effect.callback<AddressInfo, ListenError>((resume) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      resume(Effect.fail(new ListenError({ host, port, code: error.code ?? "unknown" })))
    })
    const isListening = () => resume(Effect.succeed(server.address() as AddressInfo))
    if (server.listening) isListening()
    else server.listen({ host, port, backlog: LISTEN_BACKLOG }, isListening)
  })

/** How long idle connections stay open for requests on their way, in milliseconds. */
const LAST_REQUESTS = 100

/** Runs `then` once the event loop has read all received data. */
const afterReading = (then: () => void): void => {
  setImmediate(() => setImmediate(then))
}

/**
 * Waits until no response is being written, at most `within` milliseconds. Node's `close` resets
 * idle connections at once, even with an unread request. So the server first only stops accepting,
 * and calls `close` a moment later. Meanwhile every response closes its connection.
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

/** Answers the interface's `NOT_FOUND` if no page has answered. */
const afterPages =
  <R>({ find, serve }: Dispatch<R>): Koa.Middleware =>
  async (ctx, next) => {
    await next()
    if (ctx.respond === false || ctx.status !== 404 || ctx.body !== undefined) return
    ctx.respond = false
    await serve(ctx.req, ctx.res, find(ctx.req, targetOf(ctx.req.url)))
  }

const hostInUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host)

/**
 * Serves the routes until its scope closes, and then drains. `routes` gets the server's state for
 * the handlers. Requests run in the layer's context.
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
      const run = Effect.runCallbackWith(yield* Effect.context<R>())
      const responses = new Responses()
      const { isDraining } = responses
      const isLeaving = () => isDraining() || options.isLeaving?.() === true
      const stopping = { isDraining, isLeaving }
      const { dispatch, streams } = yield* openInterface<R>(options, stopping, routes)

      const koa = new Koa()
      koa.on("error", (error: Error) => {
        if (!isHangUp(error)) run(Effect.logError("middleware failed", error), { onExit: ignore })
      })
      koa.use(afterPages(dispatch))
      for (const page of options.pages ?? []) koa.use(page)

      const server = options.place ?? makeServer()
      if (options.headersTimeout !== undefined) server.headersTimeout = options.headersTimeout
      if (options.requestTimeout !== undefined) server.requestTimeout = options.requestTimeout
      limitConnections(server, { ...CONNECTION_LIMITS, ...options.connections }, options.gate)
      const onRequest = responses.listener(dispatch, koa.callback())
      server.on("request", onRequest)
      server.on("checkExpectation", onRequest)
      server.on("clientError", answersMalformed(responses.afterAnswers))

      const address = yield* listen(server, options)
      server.off("connection", turnAway)
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
