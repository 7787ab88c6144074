import { createConnection, type Socket } from "node:net"
import type { Requests } from "./requests.ts"

const LARGEST = 64 * 1024

/** What the load does with the answers of its connections. */
export interface Answers {
  /** An answer, with what is wrong about it, and how long it took in milliseconds. */
  readonly answered: (flaw: string | undefined, milliseconds: number) => void
  /** Whether another request is wanted. */
  readonly goOn: () => boolean
  /** The connection has nothing under way any more. */
  readonly ended: () => void
}

/** One kept-alive connection with one request under way, read with as little work as can be. */
class Connection {
  readonly #socket: Socket
  readonly #requests: Requests
  readonly #answers: Answers
  #text = ""
  #sent = 0
  #busy = false
  #over = false

  constructor(port: number, requests: Requests, answers: Answers) {
    this.#requests = requests
    this.#answers = answers
    const bytes = Buffer.alloc(LARGEST)
    this.#socket = createConnection({
      host: "127.0.0.1",
      port,
      noDelay: true,
      onread: {
        buffer: bytes,
        callback: (size) => {
          this.#read(bytes.toString("latin1", 0, size))
          return true
        },
      },
    })
    this.#socket.on("connect", () => this.#next())
    this.#socket.on("error", (error) => this.#fail(`the connection broke: ${error.message}`))
    this.#socket.on("close", () => this.#fail("the connection was closed"))
  }

  #next(): void {
    if (!this.#answers.goOn()) return this.#end()
    this.#sent = performance.now()
    this.#busy = true
    this.#socket.write(this.#requests.next())
  }

  #read(chunk: string): void {
    this.#text += chunk
    const end = this.#text.indexOf("\r\n\r\n")
    if (end < 0) return
    const head = this.#text.slice(0, end + 2)
    const length = Number(/\r\nContent-Length: (\d+)\r\n/i.exec(head)?.[1])
    if (Number.isNaN(length)) return this.#fail(`an answer without a length:\n${head}`)
    if (this.#text.length < end + 4 + length) return
    const body = this.#text.slice(end + 4)
    this.#text = ""
    this.#busy = false
    const flaw =
      body.length > length ? "more came than was announced" : this.#requests.flaw(head, body)
    const shown = flaw === undefined ? undefined : `${flaw}:\n${head}\n${body}`
    this.#answers.answered(shown, performance.now() - this.#sent)
    this.#next()
  }

  #fail(why: string): void {
    if (this.#over) return
    this.#answers.answered(why, this.#busy ? performance.now() - this.#sent : 0)
    this.#end()
  }

  #end(): void {
    if (this.#over) return
    this.#over = true
    this.#socket.destroy()
    this.#answers.ended()
  }
}

/** Opens a connection that sends its requests as long as it may, from when it is open. */
export const connect = (port: number, requests: Requests, answers: Answers): Connection =>
  new Connection(port, requests, answers)
