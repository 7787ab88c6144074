import {
  type HandleRequestOptions,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server"
import { randomUUID } from "node:crypto"
import type { SessionLimits } from "./limits.ts"

interface Session {
  readonly server: Server
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly opened: number
  used: number
  /** Streams and requests in progress. */
  open: number
  /** The key whose session it is; undefined until one is sent. Such sessions are evicted last. */
  key: string | undefined
  /** The address that opened it. */
  readonly address: string
  /** The path of the door where it was opened. */
  readonly path: string
}

/** Who sends a request where: the id of its key, if it sent a valid one, its address, its door. */
export interface SessionCaller {
  readonly key: string | undefined
  readonly address: string
  readonly path: string
}

/** What sessions are made with; `now` in milliseconds since any moment. */
export interface SessionOptions {
  /** A server of the tools at a path. */
  readonly make: (path: string) => Server
  /** The paths at which the list of tools changes. */
  readonly changing: ReadonlySet<string>
  readonly now: () => number
  /** Milliseconds between two heartbeats on a stream. */
  readonly heartbeatEvery: number
}

/** Sessions of one process. */
export class Sessions {
  readonly #byId = new Map<string, Session>()
  readonly #limits: SessionLimits
  readonly #make: (path: string) => Server
  readonly #changing: ReadonlySet<string>
  readonly #now: () => number
  readonly #heartbeatEvery: number

  constructor(limits: SessionLimits, { changing, heartbeatEvery, make, now }: SessionOptions) {
    this.#limits = limits
    this.#changing = changing
    this.#make = make
    this.#now = now
    this.#heartbeatEvery = heartbeatEvery
  }

  get count(): number {
    return this.#byId.size
  }

  /** Opens a session for an `initialize`, unless the transport refuses it. */
  async open(
    request: Request,
    parsedBody: unknown,
    { address, key, path }: SessionCaller,
  ): Promise<Response> {
    const server = this.#make(path)
    const opened = this.#now()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      keepAliveMs: this.#heartbeatEvery,
      onsessioninitialized: (id) => {
        this.#makeRoom(key ?? address)
        const fresh = { server, transport, opened, used: opened, open: 0, key, address, path }
        this.#byId.set(id, fresh)
      },
      onsessionclosed: (id) => void this.#byId.delete(id),
    })
    await server.connect(transport)
    const response = await transport.handleRequest(request, { parsedBody })
    if (transport.sessionId === undefined || !response.ok) await this.#end(transport.sessionId)
    return response
  }

  /**
   * Serves a request of a session. Undefined when the session does not exist, has ended, or is that
   * of another key or at another door: the client then opens another.
   */
  async serve(
    id: string,
    request: Request,
    options: HandleRequestOptions,
    { done, key, path }: Omit<SessionCaller, "address"> & { readonly done: Promise<void> },
  ): Promise<Response | undefined> {
    const session = this.#byId.get(id)
    if (session !== undefined && session.path !== path) return undefined
    if (session === undefined || this.#isOver(session)) {
      await this.#end(id)
      return undefined
    }
    // Whoever learns the id of a session can neither read its stream nor end it.
    if (session.key !== undefined && session.key !== key) return undefined
    session.used = this.#now()
    session.key ??= key
    session.open++
    void done.then(() => {
      session.open--
      session.used = this.#now()
    })
    // The session used last is last in the map, so that eviction needs no sorting.
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

  /** Notifies every client that has a stream open. */
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
   * Evicts a session where there are too many: the least recently used one of the same holder (a
   * key, or an address without one) where that has its share, else one without a key first.
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

  async #end(id: string | undefined): Promise<void> {
    const session = this.#byId.get(id ?? "")
    if (id === undefined || session === undefined) return
    this.#byId.delete(id)
    await session.server.close()
  }
}
