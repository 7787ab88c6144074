import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
} from "@modelcontextprotocol/server"
import type { McpLimits } from "./limits.ts"
import { authInfoOf, makeServer } from "./protocol.ts"
import { Sessions } from "./sessions.ts"
import type { Asking, Tools } from "./Tools.ts"

/** A checked request, ready for the protocol. */
export interface McpRequest {
  readonly request: Request
  /** The JSON of a POST; undefined for GET and DELETE. */
  readonly message: { readonly [name: string]: unknown } | undefined
  /** What the tools are told of the request. */
  readonly asking?: Asking
  /** The id of the caller's key; undefined where it sent no valid one. */
  readonly key: string | undefined
  /** Where the request comes from. */
  readonly address: string
  /** Settles when the answer has been sent. */
  readonly done: Promise<void>
}

const SESSION = "mcp-session-id"

const noSession = () =>
  Response.json(
    { jsonrpc: "2.0", error: { code: -32_001, message: "Session not found" }, id: null },
    { status: 404 },
  )

const noStream = () =>
  Response.json(
    { jsonrpc: "2.0", error: { code: -32_000, message: "Open a session first" }, id: null },
    { status: 405, headers: { Allow: "POST" } },
  )

/**
 * The protocol over HTTP in both revisions: 2026-07-28, which has no state, and 2025-11-25, which
 * has sessions. A request of the older one without a session is served on its own.
 */
export class Engine {
  readonly #modern: McpHttpHandler
  readonly #sessions: Sessions
  readonly #sweeping: NodeJS.Timeout

  constructor(tools: Tools, { heartbeatEvery, sessions, subscriptions }: McpLimits) {
    const make = () => makeServer(tools)
    this.#modern = createMcpHandler(make, {
      legacy: "reject",
      maxSubscriptions: subscriptions,
      keepAliveMs: heartbeatEvery,
    })
    this.#sessions = new Sessions(sessions, {
      make,
      now: () => performance.now(),
      heartbeatEvery,
    })
    const every = Math.min(30_000, sessions.idleFor)
    this.#sweeping = setInterval(() => this.#sessions.sweep(), every).unref()
  }

  get sessions(): number {
    return this.#sessions.count
  }

  async serve(arrival: McpRequest): Promise<Response> {
    const { address, asking, done, key, message, request } = arrival
    const options = {
      ...(asking !== undefined && { authInfo: authInfoOf(asking) }),
      ...(message !== undefined && { parsedBody: message }),
    }
    if (!(await isLegacyRequest(request, message))) return this.#modern.fetch(request, options)
    const session = request.headers.get(SESSION)
    if (session !== null) {
      const served = await this.#sessions.serve(session, request, options, { done, key })
      return served ?? noSession()
    }
    if (message === undefined) return noStream()
    return message["method"] === "initialize"
      ? this.#sessions.open(request, message, { key, address })
      : this.#sessions.serveAlone(request, options)
  }

  /** Notifies all listening clients of both revisions that the list of tools has changed. */
  toolsChanged(): void {
    this.#modern.notify.toolsChanged()
    this.#sessions.toolsChanged()
  }

  /** Ends all sessions and streams. */
  async close(): Promise<void> {
    clearInterval(this.#sweeping)
    await Promise.all([this.#modern.close(), this.#sessions.close()])
  }
}
