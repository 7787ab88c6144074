import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Outgoing } from "../../shared/Exchange.ts"
import type { Dispatch } from "./Dispatcher.ts"
import { type AfterAnswers, refuseMalformed } from "./malformed.ts"
import { targetOf } from "./readRequest.ts"

/** The responses of a server, from the arrival of a request until its response is written. */
export class Responses {
  #answering = 0
  /** By connection, since a client may send requests before it has the earlier answers. */
  readonly #open = new WeakMap<Socket, Set<ServerResponse>>()
  /** The last request of a connection. Only that may not have arrived whole. */
  readonly #last = new WeakMap<Socket, ServerResponse>()
  #isDraining = false

  /** Whether the server is stopping. */
  readonly isDraining = (): boolean => this.#isDraining

  /** Returns the number of responses that are not completely written. */
  readonly answering = (): number => this.#answering

  drain(): void {
    this.#isDraining = true
  }

  /** Counts a response until it has been written. */
  count(res: Outgoing): void {
    this.#answering++
    res.once("close", () => this.#answering--)
  }

  #keep({ socket }: IncomingMessage, res: ServerResponse): void {
    const open = this.#open.get(socket) ?? new Set()
    this.#open.set(socket, open.add(res))
    this.#last.set(socket, res)
    res.once("close", () => open.delete(res))
  }

  readonly afterAnswers: AfterAnswers = (socket, then) => {
    const whole = [...(this.#open.get(socket) ?? [])].filter(({ req }) => req.complete)
    const last = this.#last.get(socket)
    const end = () => then(last !== undefined && !last.req.complete && last.headersSent)
    let left = whole.length
    if (left === 0) return end()
    for (const res of whole) {
      res.once("close", () => {
        left -= 1
        if (left === 0) end()
      })
    }
  }

  /** Returns a listener for requests of the interface. Other paths go to `pages`. */
  listener<R>(
    { find, serve }: Dispatch<R>,
    pages: (req: IncomingMessage, res: ServerResponse) => unknown,
  ) {
    return (req: IncomingMessage, res: ServerResponse): void => {
      this.count(res)
      this.#keep(req, res)
      if (refuseMalformed(req, res)) return
      const found = find(req, targetOf(req.url))
      if (found.match.type === "nothing") void pages(req, res)
      else void serve(req, res, found)
    }
  }
}
