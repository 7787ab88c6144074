import { Effect, Fiber } from "effect"
import type { Middleware } from "koa"
import type { IncomingMessage, ServerResponse } from "node:http"
import { followToolChanges } from "../../core/agents/followToolChanges.ts"
import { Installation } from "../../core/ports/Installation.ts"
import { coreTools, type ToolPorts } from "./coreTools.ts"
import { makeExchange } from "./exchange.ts"
import { MCP_LIMITS, type McpLimits } from "./limits.ts"
import { Listeners } from "./Listeners.ts"
import { METADATA_PATHS } from "./resourceMetadata.ts"

/** Where the protocol is spoken. */
const MCP_PATH = "/mcp"

/** How agents come in over HTTP. */
export interface McpDoor {
  /** Serves `/mcp` and its metadata; every other path goes on. */
  readonly page: Middleware
  /** Ends all sessions and streams and lets nobody in any more; calls under way are finished. */
  readonly close: Effect.Effect<void>
}

/** `host` is the address that the server listens on. */
export interface McpOptions extends Partial<McpLimits> {
  readonly host: string
}

const pathOf = (url: string): string =>
  url.replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/)[0] ?? ""

/**
 * Opens the door. What it needs of memory, the packages of the protocol above all, is taken when
 * the first agent comes.
 */
export const openMcpDoor = Effect.fnUntraced(function* ({ host, ...said }: McpOptions) {
  const context = yield* Effect.context<ToolPorts>()
  const { base_url } = yield* Installation
  const limits = { ...MCP_LIMITS, ...said }
  const fork = Effect.runForkWith(context)
  const run = Effect.runPromiseExitWith(context)
  const tools = coreTools(context)

  let closed = false
  let started: ReturnType<typeof start> | undefined
  const start = async () => {
    const { Engine } = await import("./Engine.ts")
    const engine = new Engine(tools, limits)
    const following = fork(followToolChanges(() => engine.toolsChanged()))
    const stop = async () => {
      await Promise.all([run(Fiber.interrupt(following)), engine.close()])
    }
    return { engine, stop }
  }
  const exchange = makeExchange({
    baseUrl: base_url,
    host,
    limits,
    listeners: new Listeners(limits.subscriptions),
    run,
    engine: async () => {
      if (closed) return undefined
      return (await (started ??= start())).engine
    },
  })

  const serves = (path: string): boolean => path === MCP_PATH || METADATA_PATHS.includes(path)
  const handle = (req: IncomingMessage, res: ServerResponse, path: string) =>
    exchange(req, res, path).catch((error: unknown) => {
      void run(Effect.logError("a request of an agent failed", error))
      res.destroy()
    })
  const page: Middleware = async (ctx, next) => {
    const { req, res } = ctx
    const path = pathOf(req.url ?? "/")
    if (!serves(path)) {
      await next()
      return
    }
    ctx.respond = false
    await handle(req, res, path)
  }
  const close = Effect.promise(async () => {
    closed = true
    await (await started)?.stop()
  })
  return { page, close } satisfies McpDoor
})
