import { Effect, type Scope } from "effect"
import { createConnection, createServer, type Socket } from "node:net"
import type { TestDatabase } from "./postgres.ts"

/** The messages of the extended protocol that run a parsed statement. */
const PARSE = "P"
const BIND = "B"
const QUERY = "Q"

const HEAD = 5

/** Parses a client's messages, and reports the text of each statement that runs. */
class ClientMessages {
  readonly #texts = new Map<string, string>()
  readonly #ran: (text: string) => void
  #rest: Buffer = Buffer.alloc(0)
  #isStarted = false

  constructor(ran: (text: string) => void) {
    this.#ran = ran
  }

  read(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes])
    while (true) {
      const lengthAt = this.#isStarted ? 1 : 0
      if (this.#rest.length < lengthAt + 4) return
      const end = lengthAt + this.#rest.readInt32BE(lengthAt)
      if (this.#rest.length < end) return
      // The first message has no type.
      if (this.#isStarted) this.#take(String.fromCharCode(this.#rest[0] ?? 0), this.#rest, end)
      this.#isStarted = true
      this.#rest = this.#rest.subarray(end)
    }
  }

  #take(type: string, message: Buffer, end: number): void {
    const word = (from: number) => message.toString("utf8", from, message.indexOf(0, from))
    if (type === QUERY) this.#ran(word(HEAD))
    if (type === PARSE) {
      const name = word(HEAD)
      this.#texts.set(name, word(HEAD + Buffer.byteLength(name) + 1))
    }
    if (type === BIND) {
      const portal = word(HEAD)
      this.#ran(this.#texts.get(word(HEAD + Buffer.byteLength(portal) + 1)) ?? "")
    }
    if (end > message.length) throw new RangeError("A message was not complete.")
  }
}

/** The statements that were run on a database since they were forgotten last. */
export interface Statements {
  /** The connection to the database through the tap. */
  readonly database: TestDatabase
  readonly ran: () => ReadonlyArray<string>
  readonly forget: () => void
}

/** Passes all data between a store and its server, and records the statements. */
export const tapStatements = (
  database: TestDatabase,
): Effect.Effect<Statements, never, Scope.Scope> =>
  Effect.gen(function* () {
    let ran: Array<string> = []
    const pairs = new Set<Socket>()
    const listener = createServer((client) => {
      const server = database.host.startsWith("/")
        ? createConnection({ path: `${database.host}/.s.PGSQL.${database.port}` })
        : createConnection(database)
      const messages = new ClientMessages((text) => void ran.push(text))
      client.on("data", (bytes: Buffer) => messages.read(bytes))
      for (const [one, other] of [[client, server] as const, [server, client] as const]) {
        pairs.add(one)
        one.pipe(other)
        one.on("error", () => other.destroy()).on("close", () => pairs.delete(one))
      }
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => {
        listener.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.sync(() => {
          listener.close()
          for (const socket of pairs) socket.destroy()
        }),
    )
    const address = listener.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return {
      database: { ...database, host: "127.0.0.1", port },
      ran: () => ran,
      forget: () => {
        ran = []
      },
    }
  })
