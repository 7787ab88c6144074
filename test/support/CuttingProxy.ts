import { Effect, type Scope } from "effect"
import { createConnection, createServer, type Server, type Socket } from "node:net"

/** One connection through the proxy. */
interface Pair {
  readonly client: Socket
  readonly server: Socket
  /** Whether it is the connection for commits. */
  commits: boolean
  /** Whether to cut the connection before the next answer. */
  isDoomed: boolean
}

/** Decides about bytes on the commit connection: whether they are passed on. */
export interface Tap {
  readonly request?: (cut: () => void, pass: () => void) => void
  readonly answer?: (cut: () => void, pass: () => void) => void
}

/** The address of a server. A host that begins with a slash is the folder of its socket. */
interface Target {
  readonly host: string
  readonly port: number
}

/** A text that only the commit session sends. */
const MARK = "force_generic_plan"

/** A proxy between a store and its server that passes everything on until a test disturbs it. */
export class CuttingProxy {
  readonly port: number
  readonly #listener: Server
  readonly #pairs = new Set<Pair>()
  #tap: Tap | undefined
  #fatal: { readonly text: string; readonly at: "request" | "answer" } | undefined
  #target: Target
  #isDown = false
  #hangs = false

  private constructor(listener: Server, port: number, target: Target) {
    this.#listener = listener
    this.#target = target
    this.port = port
  }

  static readonly make = (target: Target): Effect.Effect<CuttingProxy, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.promise(
        () =>
          new Promise<CuttingProxy>((resolve, reject) => {
            const listener = createServer()
            listener.once("error", reject)
            listener.listen(0, "127.0.0.1", () => {
              const address = listener.address()
              const port = typeof address === "object" && address !== null ? address.port : 0
              const proxy = new CuttingProxy(listener, port, target)
              listener.on("connection", (client) => proxy.#connect(client))
              resolve(proxy)
            })
          }),
      ),
      (proxy) =>
        Effect.promise(
          () =>
            new Promise<void>((resolve) => {
              proxy.drop()
              proxy.#listener.close(() => resolve())
            }),
        ),
    )

  /** Watches the commit connection until it is cut, once. */
  arm(tap: Tap): void {
    this.#tap = tap
  }

  /** Cuts the next connection that sends this text, before it arrives or before its answer. */
  cutAt(at: "request" | "answer", text: string): void {
    this.#fatal = { text, at }
  }

  /** Ends all connections, and refuses new ones while `down`. */
  drop(down = false): void {
    this.#isDown = down
    for (const pair of this.#pairs) this.#cut(pair)
  }

  /** Stops passing data on, silently, or continues with the data received meanwhile. */
  hang(hangs: boolean): void {
    this.#hangs = hangs
    for (const { client, server } of this.#pairs) this.#pace(client, server)
  }

  /** Sends new connections to that server. Open connections stay. */
  direct(target: Target): void {
    this.#target = target
  }

  #pace(...sockets: ReadonlyArray<Socket>): void {
    for (const socket of sockets) {
      if (this.#hangs) socket.pause()
      else socket.resume()
    }
  }

  #connect(client: Socket): void {
    if (this.#isDown) return void client.destroy()
    const target = this.#target
    const server = target.host.startsWith("/")
      ? createConnection({ path: `${target.host}/.s.PGSQL.${target.port}` })
      : createConnection(target)
    const pair: Pair = { client, server, commits: false, isDoomed: false }
    this.#pairs.add(pair)
    const end = () => this.#cut(pair)
    for (const socket of [client, server]) {
      socket.on("error", end)
      socket.on("close", end)
    }
    client.on("data", (bytes: Buffer) => {
      if (this.#fatal !== undefined && bytes.includes(this.#fatal.text)) {
        const { at } = this.#fatal
        this.#fatal = undefined
        if (at === "request") return this.#cut(pair)
        pair.isDoomed = true
      }
      const isStartup = !pair.commits && bytes.includes(MARK)
      if (isStartup) pair.commits = true
      const request = pair.commits && !isStartup ? this.#tap?.request : undefined
      if (request === undefined) server.write(bytes)
      else
        request(
          () => this.#cut(pair),
          () => server.write(bytes),
        )
    })
    server.on("data", (bytes: Buffer) => {
      if (pair.isDoomed) return this.#cut(pair)
      const answer = pair.commits ? this.#tap?.answer : undefined
      if (answer === undefined) client.write(bytes)
      else
        answer(
          () => this.#cut(pair),
          () => client.write(bytes),
        )
    })
    this.#pace(client, server)
  }

  #cut(pair: Pair): void {
    if (!this.#pairs.delete(pair)) return
    if (pair.commits) this.#tap = undefined
    pair.client.destroy()
    pair.server.destroy()
  }
}
