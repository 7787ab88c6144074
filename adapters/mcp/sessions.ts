import {
  type HandleRequestOptions,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server"
import type { SessionLimits } from "./limits.ts"
import type { Holder, SessionIds } from "./SessionIds.ts"

interface Session {
  readonly server: Server
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly opened: number
  used: number
  /** Streams and requests in progress. */
  open: number
  /** The key of the session; undefined until one is sent. Such sessions are evicted last. */
  key: string | undefined
  /** The address that opened it. */
  readonly address: string
  /** The path of the MCP address at which it was opened. */
  readonly path: string
}

/** The key, the path and the client's address of a request. */
export interface SessionCaller extends Holder {
  readonly address: string
}

/** The most ended sessions that are remembered, so that none of them is taken over again. */
const MOST_ENDED = 10_000

/** The default revision of a client that does not name one. */
const USUAL_REVISION = "2025-11-25"

/** Rebuilds the relevant part of the request that opened the session at another process. */
const opening = (request: Request) => ({
  request: new Request(request.url, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
  }),
  message: {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: request.headers.get("mcp-protocol-version") ?? USUAL_REVISION,
      capabilities: {},
      clientInfo: { name: "a client of another process", version: "1" },
    },
  },
})

/** The options of sessions. `now` is in milliseconds since any moment. */
export interface SessionOptions {
  /** Makes a server for the tools at a path. */
  readonly make: (path: string) => Server
  /** The paths at which the list of tools changes. */
  readonly changing: ReadonlySet<string>
  readonly now: () => number
  readonly ids: SessionIds
  /** Milliseconds between two heartbeats on a stream. */
  readonly heartbeatEvery: number
}

/**
 * The sessions of one process. A session that another process of the installation opened is taken
 * over when its client comes here, because a session keeps only the client's streams.
 */
export class Sessions {
  readonly #byId = new Map<string, Session>()
  readonly #takingOver = new Map<string, Promise<Session | undefined>>()
  readonly #ended = new Set<string>()
  readonly #ids: SessionIds
  readonly #limits: SessionLimits
  readonly #make: (path: string) => Server
  readonly #changing: ReadonlySet<string>
  readonly #now: () => number
  readonly #heartbeatEvery: number

  constructor(limits: SessionLimits, { changing, heartbeatEvery, ids, make, now }: SessionOptions) {
    this.#limits = limits
    this.#ids = ids
    this.#changing = changing
    this.#make = make
    this.#now = now
    this.#heartbeatEvery = heartbeatEvery
  }

  get count(): number {
    return this.#byId.size
  }

  /** Opens a session for an `initialize`, unless the transport refuses it. */
  open(request: Request, parsedBody: unknown, caller: SessionCaller): Promise<Response> {
    return this.#start(this.#ids.make(caller), 0, request, parsedBody, caller)
  }

  /** Starts a session that was opened `age` milliseconds ago. */
  async #start(
    sessionId: string,
    age: number,
    request: Request,
    parsedBody: unknown,
    { address, key, path }: SessionCaller,
  ): Promise<Response> {
    const server = this.#make(path)
    const used = this.#now()
    const opened = used - age
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => sessionId,
      enableJsonResponse: true,
      keepAliveMs: this.#heartbeatEvery,
      onsessioninitialized: (id) => {
        this.#makeRoom(key ?? address)
        const fresh = { server, transport, opened, used, open: 0, key, address, path }
        this.#byId.set(id, fresh)
      },
      onsessionclosed: (id) => this.#forget(id),
    })
    await server.connect(transport)
    const response = await transport.handleRequest(request, { parsedBody })
    if (transport.sessionId === undefined || !response.ok) await this.#end(transport.sessionId)
    return response
  }

  /**
   * Serves a request of a session. Returns undefined if the session does not exist, has ended, or
   * belongs to another key or path. The client then opens another.
   */
  async serve(
    id: string,
    request: Request,
    options: HandleRequestOptions,
    { done, ...caller }: SessionCaller & { readonly done: Promise<void> },
  ): Promise<Response | undefined> {
    const { key, path } = caller
    const session = this.#byId.get(id) ?? (await this.#takeOver(id, request, caller))
    if (session !== undefined && session.path !== path) return undefined
    if (session === undefined || this.#isOver(session)) {
      await this.#end(id)
      return undefined
    }
    // Knowing the id of a session is not enough to read its stream or to end it.
    if (session.key !== undefined && session.key !== key) return undefined
    session.used = this.#now()
    session.key ??= key
    session.open++
    void done.then(() => {
      session.open--
      session.used = this.#now()
    })
    // The last used session is last in the map, so that eviction needs no sorting.
    this.#byId.delete(id)
    this.#byId.set(id, session)
    return session.transport.handleRequest(request, options)
  }

  /** Serves a request without a session on its own. */
  async serveAlone(
    request: Request,
    options: HandleRequestOptions,
    path: string,
  ): Promise<Response> {
    const server = this.#make(path)
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    try {
      return await transport.handleRequest(request, options)
    } finally {
      await server.close()
    }
  }

  /** Notifies every client with an open stream. */
  toolsChanged(): void {
    for (const { path, server } of this.#byId.values()) {
      if (!this.#changing.has(path)) continue
      server.sendToolListChanged().catch(() => undefined)
    }
  }

  /** Ends sessions that are idle or old. */
  sweep(): void {
    for (const [id, session] of this.#byId) if (this.#isOver(session)) void this.#end(id)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#byId.keys()].map((id) => this.#end(id)))
  }

  #isOver({ open, opened, used }: Session): boolean {
    const now = this.#now()
    return (
      now - opened >= this.#limits.longest || (open === 0 && now - used >= this.#limits.idleFor)
    )
  }

  /**
   * Evicts a session if there are too many: the least recently used one of the same holder (a key,
   * or an address without one) if that has its share, else first one without a key.
   */
  #makeRoom(holder: string): void {
    const ids = [...this.#byId]
    const own = ids.filter(([, { address, key }]) => (key ?? address) === holder)
    const [victim] =
      own.length >= this.#limits.mostOfHolder
        ? (own[0] ?? [])
        : ids.length < this.#limits.most
          ? []
          : (ids.find(([, session]) => session.key === undefined) ?? ids[0] ?? [])
    void this.#end(victim)
  }

  /** Takes over a session that another process opened. Concurrent requests for it share it. */
  #takeOver(id: string, request: Request, caller: SessionCaller): Promise<Session | undefined> {
    const age = this.#ended.has(id) ? undefined : this.#ids.ageOf(id, caller)
    if (age === undefined) return Promise.resolve(undefined)
    const under = this.#takingOver.get(id)
    if (under !== undefined) return under
    const sent = opening(request)
    const taken = this.#start(id, age, sent.request, sent.message, caller)
      .then(() => this.#byId.get(id))
      .finally(() => this.#takingOver.delete(id))
    this.#takingOver.set(id, taken)
    return taken
  }

  #forget(id: string): void {
    this.#byId.delete(id)
    this.#ended.add(id)
    if (this.#ended.size <= MOST_ENDED) return
    for (const oldest of this.#ended) {
      this.#ended.delete(oldest)
      break
    }
  }

  async #end(id: string | undefined): Promise<void> {
    const session = this.#byId.get(id ?? "")
    if (id === undefined || session === undefined) return
    this.#forget(id)
    await session.server.close()
  }
}
