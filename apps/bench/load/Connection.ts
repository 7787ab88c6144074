import { createConnection, isIP, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import type { Requests } from "./requests.ts"

const LARGEST = 64 * 1024

/** Without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL): string => hostname.replaceAll(/^\[|\]$/g, "")

/** The callbacks for the answers of the load's connections. */
export interface Answers {
  /** Receives an answer, what is wrong with it, and its time in milliseconds. */
  readonly answered: (flaw: string | undefined, milliseconds: number) => void
  /** Whether another request has to be sent. */
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

  constructor(url: URL, requests: Requests, answers: Answers) {
    this.#requests = requests
    this.#answers = answers
    this.#socket = url.protocol === "https:" ? this.#openTls(url) : this.#open(url)
    this.#socket.on("error", (error) => this.#fail(`the connection broke: ${error.message}`))
    this.#socket.on("close", () => this.#fail("the connection was closed"))
  }

  #open(url: URL): Socket {
    const bytes = Buffer.alloc(LARGEST)
    return createConnection({
      host: hostOf(url),
      port: Number(url.port || 80),
      noDelay: true,
      onread: {
        buffer: bytes,
        callback: (size) => {
          this.#read(bytes.toString("latin1", 0, size))
          return true
        },
      },
    }).on("connect", () => this.#next())
  }

  #openTls(url: URL): Socket {
    const host = hostOf(url)
    const name = isIP(host) === 0 ? { servername: host } : {}
    return connectTls({ host, port: Number(url.port || 443), ...name })
      .setNoDelay(true)
      .on("data", (bytes: Buffer) => this.#read(bytes.toString("latin1")))
      .on("secureConnect", () => this.#next())
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
export const connect = (url: URL, requests: Requests, answers: Answers): Connection =>
  new Connection(url, requests, answers)
