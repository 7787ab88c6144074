import { Effect, type Scope } from "effect"
import { connect, createServer, type Server, type Socket } from "node:net"

/** A server's session, which many clients use by turns. */
interface Backend {
  readonly socket: Socket
  client: Client | undefined
}

interface Client {
  readonly socket: Socket
  backend: Backend | undefined
  /** The number of sent messages without a "ready" answer. */
  asked: number
  readonly unsent: Array<Buffer>
}

interface Place {
  readonly host: string
  readonly port: number
}

/** Cuts a stream into messages of PostgreSQL's protocol; the first of a client has no type. */
const inMessages = (hasType: boolean, onMessage: (type: string, message: Buffer) => void) => {
  let rest = Buffer.alloc(0)
  let isTyped = hasType
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const start = isTyped ? 1 : 0
      if (rest.length < start + 4) return
      const end = start + rest.readInt32BE(start)
      if (rest.length < end) return
      const message = Buffer.from(rest.subarray(0, end))
      rest = rest.subarray(end)
      const type = isTyped ? String.fromCharCode(message[0] ?? 0) : ""
      isTyped = true
      onMessage(type, message)
    }
  }
}

/** Messages that the server answers with "ready". */
const ENDING: ReadonlySet<string> = new Set(["S", "Q"])

const IDLE = "I".charCodeAt(0)

/**
 * Acts like PgBouncer with `pool_mode=transaction` before it supported prepared statements: a
 * client gets a different session than the last used one, until its transaction ends. Each client's
 * login opens one more session, and the oldest is closed when a client leaves.
 */
export class TransactionPooler {
  readonly #listener: Server
  readonly #server: Place
  readonly #resting: Array<Backend> = []
  readonly #line: Array<Client> = []
  readonly #sockets = new Set<Socket>()

  private constructor(server: Place) {
    this.#server = server
    this.#listener = createServer((socket) => this.#serve(socket))
  }

  /** One in front of a server, until the scope closes. */
  static readonly make = (server: Place): Effect.Effect<Place, never, Scope.Scope> =>
    Effect.map(
      Effect.acquireRelease(
        Effect.promise(async () => {
          const pooler = new TransactionPooler(server)
          const listening = new Promise<void>((done) => {
            pooler.#listener.listen(0, "127.0.0.1", done)
          })
          await listening
          return pooler
        }),
        (pooler) => Effect.sync(() => pooler.#close()),
      ),
      (pooler) => {
        const address = pooler.#listener.address()
        if (address === null || typeof address === "string") throw new Error("It does not listen.")
        return { host: "127.0.0.1", port: address.port }
      },
    )

  #close(): void {
    this.#listener.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #open(socket: Socket): Socket {
    this.#sockets.add(socket)
    return socket.setNoDelay(true).on("error", () => socket.destroy())
  }

  #serve(socket: Socket): void {
    const { host, port } = this.#server
    const path = { path: `${host}/.s.PGSQL.${port}` }
    const own = this.#open(connect(host.startsWith("/") ? path : { host, port }))
    const client: Client = { socket: this.#open(socket), backend: undefined, asked: 0, unsent: [] }
    const backend: Backend = { socket: own, client }
    socket.once("close", () => this.#resting.shift()?.socket.end())
    let isIn = false
    own.on(
      "data",
      inMessages(true, (type, message) => {
        // The greeting names no process of the server.
        if (type === "K") message.writeInt32BE(1, 5)
        backend.client?.socket.write(message)
        if (type !== "Z") return
        if (isIn && backend.client !== undefined) backend.client.asked--
        isIn = true
        if (message[5] === IDLE && (backend.client?.asked ?? 0) === 0) this.#rest(backend)
      }),
    )
    socket.on(
      "data",
      inMessages(false, (type, message) => {
        if (type === "X") return
        if (!isIn) return void own.write(message)
        client.unsent.push(message)
        if (ENDING.has(type)) this.#send(client)
      }),
    )
  }

  /** Sends a client's messages to its session, or to a session that it gets now. */
  #send(client: Client): void {
    client.backend ??= this.#resting.splice(-2, 1)[0]
    if (client.backend === undefined) {
      if (!this.#line.includes(client)) this.#line.push(client)
      return
    }
    client.backend.client = client
    for (const message of client.unsent.splice(0)) {
      if (ENDING.has(String.fromCharCode(message[0] ?? 0))) client.asked++
      client.backend.socket.write(message)
    }
  }

  #rest(backend: Backend): void {
    if (backend.client !== undefined) backend.client.backend = undefined
    backend.client = undefined
    this.#resting.push(backend)
    const next = this.#line.shift()
    if (next !== undefined) this.#send(next)
  }
}
