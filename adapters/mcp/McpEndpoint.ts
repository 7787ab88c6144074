import { Effect, Fiber } from "effect"
import { ADDRESSES } from "./addresses.ts"
import type { McpAddress } from "../shared/Neighbours.ts"
import type { Incoming, Outgoing } from "../shared/Exchange.ts"
import { followToolChanges } from "../../core/agents/followToolChanges.ts"
import { RESOURCE_PATHS } from "../../core/oauth/Authorization.ts"
import { Installation } from "../../core/ports/Installation.ts"
import { Vault } from "../../core/ports/Vault.ts"
import { KnownUses } from "../../core/accountLog/KnownUses.ts"
import { authenticate } from "../../core/accounts/authenticate.ts"
import { KeyedStreams } from "../shared/KeyedStreams.ts"
import { AddressGate } from "../shared/addresses/AddressGate.ts"
import type { Intake } from "../shared/Intake.ts"
import { coreTools } from "./coreTools.ts"
import { MARKET, SERVICES } from "./doors.ts"
import { makeExchange } from "./exchange.ts"
import { MCP_LIMITS, type McpLimits } from "./limits.ts"
import { Listeners } from "./Listeners.ts"
import { marketTools } from "./marketTools.ts"
import { describedAt } from "./resourceMetadata.ts"
import type { ToolPorts } from "./runTools.ts"
import { SessionIds } from "./SessionIds.ts"
import { Waiters } from "./Waiters.ts"

/** The part of Koa's context that the middleware reads. */
interface KoaContext {
  readonly req: Incoming
  readonly res: Outgoing
  respond?: boolean | undefined
}

const DOORS: ReadonlySet<string> = new Set(RESOURCE_PATHS)

/** The MCP endpoint of an HTTP server: the tools of all services, and the market. */
export interface McpEndpoint {
  /** The addresses of the tools, for the discovery documents. */
  readonly addresses: ReadonlyArray<McpAddress>
  /** Whether a path has tools, or metadata about them. */
  readonly serves: (path: string) => boolean
  /** Answers a request for such a path. */
  readonly handle: (req: Incoming, res: Outgoing, path: string) => Promise<void>
  /** Koa middleware that serves these paths and passes on all others. */
  readonly page: (ctx: KoaContext, next: () => Promise<unknown>) => Promise<void>
  /** Ends all sessions, streams and waits, and refuses new ones. Calls in progress finish. */
  readonly close: Effect.Effect<void>
}

export interface McpOptions extends Partial<McpLimits> {
  /** The address that the server listens on. It is a valid `Host`, too. */
  readonly host?: string | undefined
  /** Limits callers by address. Without it there are no limits. */
  readonly gate?: AddressGate | undefined
  /** Whether people can give programs tokens for it here: see `adapters/oauth`. */
  readonly authorizes?: boolean | undefined
  /** The HTTP server's: calls count among its requests. */
  readonly intake: Intake
}

const pathOf = (url: string): string =>
  url.replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/)[0] ?? ""

/** Serves its own paths and passes on all others. */
const pageOf =
  ({ handle, serves }: Pick<McpEndpoint, "handle" | "serves">): McpEndpoint["page"] =>
  async (ctx, next) => {
    const { req, res } = ctx
    const path = pathOf(req.url ?? "/")
    if (!serves(path)) {
      await next()
      return
    }
    ctx.respond = false
    await handle(req, res, path)
  }

/**
 * Opens the endpoint. The first request loads the packages of the protocol, which need most of its
 * memory.
 */
export const openMcpEndpoint = Effect.fnUntraced(function* (options: McpOptions) {
  const { authorizes = false, gate, host, intake, ...given } = options
  const context = yield* Effect.context<ToolPorts>()
  const { base_url } = yield* Installation
  const limits = { ...MCP_LIMITS, ...given }
  const ids = new SessionIds(yield* Vault, limits.sessions.longest)
  const fork = Effect.runForkWith(context)
  const run = Effect.runPromiseExitWith(context)
  const doors = [
    { door: SERVICES, tools: coreTools(context) },
    { door: MARKET, tools: marketTools(context) },
  ]
  const waiters = new Waiters(limits)

  let closed = false
  let started: ReturnType<typeof start> | undefined
  const start = async () => {
    const { Engine } = await import("./Engine.ts")
    const engine = new Engine(doors, limits, ids)
    const following = fork(followToolChanges(() => engine.toolsChanged()))
    const stop = async () => {
      await Promise.all([run(Fiber.interrupt(following)), engine.close()])
    }
    return { engine, stop }
  }
  const exchange = makeExchange({
    baseUrl: base_url,
    authorizes,
    host,
    limits,
    intake,
    knownUses: new KnownUses(),
    gate: gate ?? new AddressGate({ limits: null }),
    listeners: new Listeners(limits),
    waiters,
    run,
    keyed: new Map(
      RESOURCE_PATHS.map((path) => [
        path,
        new KeyedStreams(({ address, authorization }, then) => {
          void run(authenticate(authorization, address, `${base_url}${path}`)).then(then)
        }),
      ]),
    ),
    engine: async () => {
      if (closed) return undefined
      started ??= start()
      // After a failure to load, the next request tries again.
      started.catch(() => (started = undefined))
      return (await started).engine
    },
  })

  const serves = (path: string): boolean => DOORS.has(path) || describedAt(path) !== undefined
  const handle = (req: Incoming, res: Outgoing, path: string) =>
    exchange(req, res, path).catch((error: unknown) => {
      void run(Effect.logError("a request of an agent failed", error))
      res.destroy()
    })
  const close = Effect.promise(async () => {
    closed = true
    waiters.close()
    await (await started)?.stop()
  })
  return {
    addresses: ADDRESSES,
    serves,
    handle,
    page: pageOf({ handle, serves }),
    close,
  } satisfies McpEndpoint
})
