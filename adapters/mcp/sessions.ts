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
  /** Streams and requests that are under way. */
  open: number
  /** Whether a key was ever sent along: those are the last to be given up. */
  keyed: boolean
}

/** What sessions are made of; `now` in milliseconds, from any beginning. */
export interface SessionMakings {
  readonly make: () => Server
  readonly now: () => number
  /** Between two signs of life on a stream, in milliseconds. */
  readonly heartbeatEvery: number
}

/** Sessions of one process. */
export class Sessions {
  readonly #byId = new Map<string, Session>()
  readonly #limits: SessionLimits
  readonly #make: () => Server
  readonly #now: () => number
  readonly #heartbeatEvery: number

  constructor(limits: SessionLimits, { heartbeatEvery, make, now }: SessionMakings) {
    this.#limits = limits
    this.#make = make
    this.#now = now
    this.#heartbeatEvery = heartbeatEvery
  }

  get count(): number {
    return this.#byId.size
  }

  /** Opens a session for an `initialize`; one that is refused leaves none behind. */
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
   * Serves a request of a session. Undefined where there is no such session (any more): the client
   * opens another.
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
    // The newest use is last: the first that may go is found without sorting.
    this.#byId.delete(id)
    this.#byId.set(id, session)
    return session.transport.handleRequest(request, options)
  }

  /** Serves a request that names no session, by itself. */
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

  /** Tells every client that has a stream open. */
  toolsChanged(): void {
    for (const { server } of this.#byId.values()) {
      server.sendToolListChanged().catch(() => undefined)
    }
  }

  /** Ends what is too old. */
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

  /** Gives up the least recently used session, of strangers first. */
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
