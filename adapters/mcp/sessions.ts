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
  /** Whether a valid key was ever sent: such sessions are evicted last. */
  keyed: boolean
}

/** What sessions are made with; `now` in milliseconds since any moment. */
export interface SessionOptions {
  readonly make: () => Server
  readonly now: () => number
  /** Milliseconds between two heartbeats on a stream. */
  readonly heartbeatEvery: number
}

/** Sessions of one process. */
export class Sessions {
  readonly #byId = new Map<string, Session>()
  readonly #limits: SessionLimits
  readonly #make: () => Server
  readonly #now: () => number
  readonly #heartbeatEvery: number

  constructor(limits: SessionLimits, { heartbeatEvery, make, now }: SessionOptions) {
    this.#limits = limits
    this.#make = make
    this.#now = now
    this.#heartbeatEvery = heartbeatEvery
  }

  get count(): number {
    return this.#byId.size
  }

  /** Opens a session for an `initialize`, unless the transport refuses it. */
  async open(request: Request, parsedBody: unknown, keyed: boolean): Promise<Response> {
    const server = this.#make()
    const opened = this.#now()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      keepAliveMs: this.#heartbeatEvery,
      onsessioninitialized: (id) => {
        this.#makeRoom()
        this.#byId.set(id, { server, transport, opened, used: opened, open: 0, keyed })
      },
      onsessionclosed: (id) => void this.#byId.delete(id),
    })
    await server.connect(transport)
    const response = await transport.handleRequest(request, { parsedBody })
    if (transport.sessionId === undefined || !response.ok) await this.#end(transport.sessionId)
    return response
  }

  /**
   * Serves a request of a session. Undefined when the session does not exist or has ended: the
   * client then opens another.
   */
  async serve(
    id: string,
    request: Request,
    options: HandleRequestOptions,
    { done, keyed }: { readonly done: Promise<void>; readonly keyed: boolean },
  ): Promise<Response | undefined> {
    const session = this.#byId.get(id)
    if (session === undefined || this.#isOver(session)) {
      await this.#end(id)
      return undefined
    }
    session.used = this.#now()
    session.keyed ||= keyed
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
  async serveAlone(request: Request, options: HandleRequestOptions): Promise<Response> {
    const server = this.#make()
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
    for (const { server } of this.#byId.values()) {
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

  /** Evicts the least recently used session, one without a key first. */
  #makeRoom(): void {
    if (this.#byId.size < this.#limits.most) return
    const ids = [...this.#byId]
    const [victim] = ids.find(([, session]) => !session.keyed) ?? ids[0] ?? []
    void this.#end(victim)
  }

  async #end(id: string | undefined): Promise<void> {
    const session = this.#byId.get(id ?? "")
    if (id === undefined || session === undefined) return
    this.#byId.delete(id)
    await session.server.close()
  }
}
