import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server"
import type { IncomingHttpHeaders } from "node:http"
import type { Door } from "./doors.ts"
import type { McpLimits } from "./limits.ts"
import { type PlainCall, plainCall } from "./plainCall.ts"
import { answerCall, authInfoOf, makeServer } from "./protocol.ts"
import type { SessionIds } from "./SessionIds.ts"
import { Sessions } from "./sessions.ts"
import type { Asking, Tools } from "./Tools.ts"
import { type Answer, Text } from "./webRequest.ts"

/** A checked request, ready for the protocol. */
export interface McpRequest {
  /** The path of its MCP address. */
  readonly path: string
  /** Node's headers of the request. */
  readonly headers: IncomingHttpHeaders
  /** Makes the request for the library. */
  readonly request: () => Request
  /** The JSON of a POST; undefined for GET and DELETE. */
  readonly message: { readonly [name: string]: unknown } | undefined
  /** The facts about the request for the tools. */
  readonly asking?: Asking
  /** Aborted once the client has left. */
  readonly gone: AbortSignal
  /** The id of the caller's key; undefined without a valid one. */
  readonly key: string | undefined
  /** The address of the client, for limits. */
  readonly address: string
  /** Settles when the answer has been sent. */
  readonly done: Promise<void>
}

const SESSION = "mcp-session-id"

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null

/**
 * Whether a request names its revision in its envelope, which only requests without sessions do.
 * The library can tell as well, but parses the whole message for that a second time.
 */
const namesRevision = (message: McpRequest["message"]): boolean => {
  if (message === undefined || typeof message["method"] !== "string") return false
  if (message["method"] === "initialize" || "result" in message || "error" in message) return false
  const { params } = message
  const meta = isObject(params) ? params["_meta"] : undefined
  return isObject(meta) && PROTOCOL_VERSION_META_KEY in meta
}

const noSession = () =>
  Response.json(
    { jsonrpc: "2.0", error: { code: -32_001, message: "Session not found" }, id: null },
    { status: 404 },
  )

const noStream = () =>
  Response.json(
    { jsonrpc: "2.0", error: { code: -32_000, message: "Send initialize first" }, id: null },
    { status: 405, headers: { Allow: "POST" } },
  )

/** The client has left before its answer. No client reads this. */
const unread = () => new Response(null, { status: 499 })

/** An MCP address and its tools. */
export interface Opened {
  readonly door: Door
  readonly tools: Tools
}

/**
 * The protocol over HTTP in both revisions: the stateless 2026-07-28, and 2025-11-25, which has
 * sessions. A request of the older revision without a session is served on its own. All addresses
 * share one set of sessions. Each session belongs to the address where it was opened.
 */
export class Engine {
  readonly #tools: ReadonlyMap<string, Tools>
  readonly #modern: ReadonlyMap<string, McpHttpHandler>
  readonly #sessions: Sessions
  readonly #sweeping: NodeJS.Timeout

  constructor(opened: ReadonlyArray<Opened>, limits: McpLimits, ids: SessionIds) {
    const { heartbeatEvery, sessions, subscriptions } = limits
    this.#tools = new Map(opened.map(({ door, tools }) => [door.path, tools]))
    const makers = new Map(
      opened.map(({ door, tools }) => [door.path as string, () => makeServer(door, tools)]),
    )
    this.#modern = new Map(
      [...makers].map(([path, make]) => [
        path,
        createMcpHandler(make, {
          legacy: "reject",
          maxSubscriptions: subscriptions,
          keepAliveMs: heartbeatEvery,
        }),
      ]),
    )
    const changing = opened.filter(({ door }) => door.changes).map(({ door }) => door.path)
    this.#sessions = new Sessions(sessions, {
      make: (path) => {
        const make = makers.get(path)
        if (make === undefined) throw new Error(`No tools are at ${path}.`)
        return make()
      },
      changing: new Set<string>(changing),
      now: () => performance.now(),
      ids,
      heartbeatEvery,
    })
    const every = Math.min(30_000, sessions.idleFor)
    this.#sweeping = setInterval(() => this.#sessions.sweep(), every).unref()
  }

  get sessions(): number {
    return this.#sessions.count
  }

  async serve(arrival: McpRequest): Promise<Answer> {
    const { address, asking, done, headers, key, message, path } = arrival
    const call = plainCall(headers, message)
    const tools = this.#tools.get(path)
    if (call !== undefined && tools !== undefined) return this.#answer(tools, call, arrival)
    const request = arrival.request()
    const options = {
      ...(asking !== undefined && { authInfo: authInfoOf(asking) }),
      ...(message !== undefined && { parsedBody: message }),
    }
    if (namesRevision(message) || !(await isLegacyRequest(request, message))) {
      return this.#modern.get(path)?.fetch(request, options) ?? noSession()
    }
    const session = request.headers.get(SESSION)
    if (session !== null) {
      const served = await this.#sessions.serve(session, request, options, {
        address,
        done,
        key,
        path,
      })
      return served ?? noSession()
    }
    if (message === undefined) return noStream()
    return message["method"] === "initialize"
      ? this.#sessions.open(request, message, { key, address, path })
      : this.#sessions.serveAlone(request, options, path)
  }

  /** Answers a call of the current revision, whose answer is never a stream, without a server. */
  #answer(tools: Tools, call: PlainCall, { asking, gone }: McpRequest): Promise<Answer> {
    const answer = answerCall(tools, call, { asking, cancelled: gone })
    const left = new Promise<Response>((resolve) => {
      gone.addEventListener("abort", () => resolve(unread()), { once: true })
    })
    return Promise.race([answer.then((said) => new Text(JSON.stringify(said))), left])
  }

  /** Notifies all listening clients of both revisions that the list of tools has changed. */
  toolsChanged(): void {
    for (const handler of this.#modern.values()) handler.notify.toolsChanged()
    this.#sessions.toolsChanged()
  }

  /** Ends all sessions and streams. */
  async close(): Promise<void> {
    clearInterval(this.#sweeping)
    const handlers = [...this.#modern.values()]
    await Promise.all([this.#sessions.close(), ...handlers.map((handler) => handler.close())])
  }
}
