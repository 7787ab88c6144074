import { connect, type Socket } from "node:net"

/** The end of an answer's head. */
const HEAD_END = "\r\n\r\n"

/** A status and a body. The status is 0 if the connection broke before the end. */
export interface RawAnswer {
  readonly status: number
  readonly text: string
}

/**
 * A kept connection that carries one request at a time. It parses only the HTTP that the service's
 * answers contain, so that a flood costs less than the work that it causes.
 */
export class Connection {
  readonly #socket: Socket
  #heard = ""
  #answer: ((answer: RawAnswer) => void) | undefined
  #isOpen = true

  constructor(port: number) {
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true })
    this.#socket.setEncoding("latin1").on("data", (text: string) => this.#hear(text))
    this.#socket.on("error", () => undefined).on("close", () => this.#end())
  }

  /** Whether it can carry another request. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Sends a whole request, head and body. */
  ask(request: string, answer: (answer: RawAnswer) => void): void {
    this.#answer = answer
    if (this.#isOpen) this.#socket.write(request, "latin1")
    else this.#end()
  }

  close(): void {
    this.#socket.destroy()
  }

  #hear(text: string): void {
    this.#heard += text
    const head = this.#heard.indexOf(HEAD_END)
    if (head < 0) return
    const length = /content-length: (\d+)/i.exec(this.#heard.slice(0, head))?.[1]
    const end = head + HEAD_END.length + Number(length)
    if (this.#heard.length < end) return
    const whole = {
      status: Number(this.#heard.slice(9, 12)),
      text: this.#heard.slice(head + 4, end),
    }
    const closes = /connection: close/i.test(this.#heard.slice(0, head))
    this.#heard = this.#heard.slice(end)
    if (closes) {
      this.#isOpen = false
      this.#socket.end()
    }
    const answer = this.#answer
    this.#answer = undefined
    answer?.(whole)
  }

  #end(): void {
    this.#isOpen = false
    const answer = this.#answer
    this.#answer = undefined
    answer?.({ status: 0, text: "the connection broke" })
  }
}
