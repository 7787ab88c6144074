import { Context, Effect, Exit, Redacted, Result, Scope } from "effect"
import type { ServerResponse } from "node:http"
import type { Inbox } from "../../core/ports/Inbox.ts"
import { Installation } from "../../core/ports/Installation.ts"
import type { Sandbox } from "../../core/ports/Sandbox.ts"
import { Failure } from "../../core/shared/Failure.ts"
import { AddressGate } from "../shared/addresses/AddressGate.ts"
import { type Incoming, isBrokenOff, type Outgoing } from "../shared/Exchange.ts"
import { type McpAddress, type Neighbours, NO_NEIGHBOURS } from "../shared/Neighbours.ts"
import { once } from "../shared/once.ts"
import { requestId } from "../shared/requestId.ts"
import { Api, LiveApi } from "./contract/Api.ts"
import { USUAL_LIMIT } from "./contract/Route.ts"
import type { Core } from "./handlers/Core.ts"
import type { Dispatch, Found } from "./koa/Dispatcher.ts"
import { type InterfaceOptions, openInterface, type ServerState } from "./koa/Interface.ts"
import { targetOf } from "./koa/readRequest.ts"
import { refused, respond } from "./koa/respond.ts"
import { Responses } from "./koa/Responses.ts"
import type { Route } from "./koa/Route.ts"
import {
  fetchDoor,
  type FetchSaid,
  koaDoor,
  type KoaContext,
  type Mountable,
  nodeDoor,
  type NodeRequest,
} from "./mount/doors.ts"
import { flawOfOptions } from "./mount/checkOptions.ts"
import { endUnread } from "./mount/endUnread.ts"
import { type Place, prefixOf, within } from "./mount/prefix.ts"
import { type Parsed, readable } from "./mount/takenBody.ts"
import { documentsOf } from "./openapi.ts"
import { liveRoutes, sandboxRoutes } from "./routes.ts"

/** A service beside the interface under the same prefix, such as MCP. */
export interface Beside {
  /** Whether the service serves a path within the prefix. */
  readonly serves: (path: string) => boolean
  readonly handle: (req: Incoming, res: Outgoing, path: string) => Promise<void>
  readonly close: Effect.Effect<void>
  /** The addresses of MCP that it serves, for the discovery documents. */
  readonly addresses?: ReadonlyArray<McpAddress>
}

/** How the interface is served in a host's app. */
export interface MountOptions extends Place, Omit<InterfaceOptions, "adminKey" | "gate" | "part"> {
  /**
   * The key that the operators share, of at least 16 characters. Without any operators' keys, the
   * operators' routes are not served.
   */
  readonly adminKey?: string | undefined
  /**
   * Limits callers by the address of their connection, unless another gate is given. Behind a proxy
   * that is the proxy's address, and all callers share its limits. Name the proxy with
   * `new AddressGate({ proxies })`, so that `X-Forwarded-For` counts.
   */
  readonly gate?: AddressGate
  /** Whether `/openapi.json` and its parts are served. True by default. */
  readonly openapi?: boolean
  /**
   * Whether the discovery documents are served: `/.well-known/api-catalog`, `agent-card.json`,
   * `mcp/server-card.json` and `x402`. False by default. Programs look for them at the root of a
   * host: under a prefix, the app has to redirect from there.
   */
  readonly discovery?: boolean
  /** Whether `/healthz` and `/readyz` are served. False by default. */
  readonly health?: boolean
  /** Whether `/metrics` is served, to everybody. False by default. */
  readonly metrics?: boolean
  readonly beside?: ReadonlyArray<Beside>
  /** Time limit for requests in progress after `close`, in milliseconds. */
  readonly drainWithin?: number
}

/** The interface for mounting in an app. */
export interface Mounted {
  /** Middleware for Koa. */
  readonly koa: (ctx: KoaContext, next: () => Promise<unknown>) => Promise<void>
  /** A handler for Node's server, Express, Connect and Fastify, with or without `next`. */
  readonly node: (req: NodeRequest, res: ServerResponse, next?: () => void) => void
  /** A handler of the fetch API. */
  readonly fetch: (request: Request, said?: FetchSaid) => Promise<Response>
  /**
   * Ends event streams, refuses new requests with `TEMPORARILY_UNAVAILABLE`, and resolves once the
   * requests in progress have been answered. The ports stay open.
   */
  readonly close: () => Promise<void>
}

const DRAIN_WITHIN = 10_000

/** How often it is checked whether everything has been answered, in milliseconds. */
const LOOK_EVERY = 10

/** Whether an app serves a route: operators' routes if there are keys, others by the options. */
const isWanted =
  ({ adminKey, operators, ...options }: MountOptions) =>
  ({ access, path }: Pick<Route<never>, "access" | "path">): boolean => {
    const { discovery = false, health = false, metrics = false, openapi = true } = options
    if (access === "admin") return adminKey !== undefined || operators !== undefined
    if (path.startsWith("/openapi")) return openapi
    if (path.startsWith("/.well-known/")) return discovery
    if (path === "/metrics") return metrics
    return health || path.startsWith("/v1/")
  }

const stopping = () =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: "The service is stopping. Repeat the request in a second.",
    retry_after: 1,
  })

/** The match of a path: a route of the interface or none, or a service beside it. */
type At<R> = Found<R> | { readonly part: Beside; readonly path: string }

const NO_HEADERS = { idempotencyKey: null, standing: null, close: false }

const refuse = (req: Incoming, res: Outgoing, failure: Failure): void => {
  const [id, fields] = [requestId(req), { ignored: null, strict: false }]
  const common = { ...NO_HEADERS, requestId: id, fields }
  respond(req, res, refused(failure, "flat", [], id), common, USUAL_LIMIT)
}

/**
 * Returns the functions that the three mounts use. `responses` says whether it was closed. A
 * failure to answer goes to `failed`: no mount can handle it, and Node would end the process.
 */
const mountable = <R>(
  { find, serve }: Dispatch<R>,
  { beside, prefix }: { readonly beside: ReadonlyArray<Beside>; readonly prefix: string },
  responses: Responses,
  failed: (error: unknown) => void,
): Mountable<At<R>> => {
  const look = (req: Incoming, url: string | undefined): At<R> | undefined => {
    const target = targetOf(url)
    const path = within(prefix, target.path)
    if (path === undefined) return undefined
    const part = beside.find(({ serves }) => serves(path))
    if (part !== undefined) return { part, path }
    const found = find(req, { path, query: target.query })
    const isOurs = found.match.type !== "nothing" || path === "/v1" || path.startsWith("/v1/")
    return isOurs ? found : undefined
  }

  const begin = async (req: Incoming, res: Outgoing, at: At<R>, parsed: Parsed) => {
    // The caller left while the app did its own work first. No event would end what begins now.
    if (res.closed || isBrokenOff(req)) return
    responses.count(res)
    endUnread(req)
    if (responses.isDraining()) return refuse(req, res, stopping())
    const use = "match" in at && at.match.type === "route" ? at.match.route.body : "fields"
    const read = readable(req, parsed, use)
    if (read instanceof Failure) return refuse(req, res, read)
    return "part" in at ? at.part.handle(read, res, at.path) : serve(read, res, at)
  }

  const answer: Mountable<At<R>>["answer"] = (req, res, at, parsed) =>
    begin(req, res, at, parsed).catch((error: unknown) => {
      failed(error)
      // An answer that the app has ended itself is left to it.
      if (!res.writableEnded) res.destroy()
    })

  /** Outside the prefix no path has a route: the app guards only the prefix. */
  const nothing = (url: string | undefined): At<R> => ({
    ...targetOf(url),
    match: { type: "nothing", shape: "flat" },
    started: performance.now(),
  })

  return { find: look, nothing, answer, refuse }
}

/** Returns the services beside the interface. An app has its own documentation. */
const neighboursOf = (beside: ReadonlyArray<Beside>): Neighbours => ({
  ...NO_NEIGHBOURS,
  mcp: beside.flatMap(({ addresses = [] }) => addresses),
})

/** Resolves once every response has been written, or after that many milliseconds. */
const drained = (responses: Responses, most: number, look: () => void): Promise<void> =>
  new Promise((resolve) => {
    const started = performance.now()
    const timer = setInterval(() => {
      look()
      if (responses.answering() > 0 && performance.now() - started < most) return
      clearInterval(timer)
      resolve()
    }, LOOK_EVERY)
  })

const mount = <R>(
  context: Context.Context<R>,
  options: MountOptions,
  routes: (state: ServerState) => ReadonlyArray<Route<R>>,
  base_url: string,
): Mounted => {
  const flaw = flawOfOptions(options)
  if (flaw !== undefined) throw flaw
  const prefix = Result.getOrThrow(prefixOf(options, base_url))
  const { adminKey, beside = [], drainWithin = DRAIN_WITHIN, gate = new AddressGate() } = options
  const responses = new Responses()
  const scope = Scope.makeUnsafe()
  const { dispatch, streams } = Effect.runSyncWith(context)(
    Scope.provide(scope)(
      openInterface<R>(
        {
          ...options,
          neighbours: neighboursOf(beside),
          adminKey: adminKey === undefined ? undefined : Redacted.make(adminKey),
          gate,
        },
        // The connections belong to the app.
        { isDraining: () => false, isLeaving: responses.isDraining },
        (state) => routes(state).filter(isWanted(options)),
      ),
    ),
  )
  const doors = mountable(dispatch, { beside, prefix }, responses, (error) =>
    Effect.runSyncWith(context)(Effect.logError("A request could not be answered.", error)),
  )
  const close = async () => {
    responses.drain()
    await Promise.all(beside.map((other) => Effect.runPromise(other.close)))
    await drained(responses, drainWithin, streams.closeAll)
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
  let closing: Promise<void> | undefined
  return {
    koa: koaDoor(doors),
    node: nodeDoor(doors),
    fetch: fetchDoor(doors),
    close: () => (closing ??= close()),
  }
}

const baseUrl = <R>(context: Context.Context<R | Installation>): string =>
  Context.get(context, Installation).base_url

const channelsOf = <R>(context: Context.Context<R | Installation>): ReadonlyArray<string> =>
  Context.get(context, Installation).catalog.map(({ id }) => id)

/**
 * Mounts the interface of a live installation in a host's app, without the sandbox's routes, and
 * without the operators' routes unless they have keys.
 *
 * Throws `INVALID_REQUEST` for wrong options, and for a prefix that differs from the base URL's.
 */
export const mountLive = (context: Context.Context<Core>, options: MountOptions = {}): Mounted => {
  const url = baseUrl(context)
  // Making the document takes as long as everything else here.
  return mount(
    context,
    options,
    liveRoutes(once(() => documentsOf(LiveApi, url, channelsOf(context)))),
    url,
  )
}

/** Mounts the interface of a sandbox in a host's app, with its controls, like `mountLive`. */
export const mountSandbox = (
  context: Context.Context<Core | Inbox | Sandbox>,
  options: MountOptions = {},
): Mounted => {
  const url = baseUrl(context)
  return mount(
    context,
    options,
    sandboxRoutes(once(() => documentsOf(Api, url, channelsOf(context)))),
    url,
  )
}
