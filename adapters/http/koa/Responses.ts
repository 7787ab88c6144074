import type { IncomingMessage, ServerResponse } from "node:http"
import type { Outgoing } from "../../shared/Exchange.ts"
import type { Dispatch } from "./Dispatcher.ts"
import { answerMalformed } from "./malformed.ts"
import { targetOf } from "./readRequest.ts"

/** HTTP 1.1 requires the header; HTTP 1.0 does not. */
const hasHost = (req: Pick<IncomingMessage, "httpVersion" | "headers">): boolean =>
  req.httpVersion !== "1.1" || req.headers.host !== undefined

/** The responses of a server, from the arrival of a request until its response is written. */
export class Responses {
  #answering = 0
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

  /** Returns a listener for requests of the interface. Other paths go to `pages`. */
  listener<R>(
    { find, serve }: Dispatch<R>,
    pages: (req: IncomingMessage, res: ServerResponse) => unknown,
  ) {
    return (req: IncomingMessage, res: ServerResponse): void => {
      this.count(res)
      if (!hasHost(req)) return answerMalformed(new Error("no Host"), req.socket)
      const found = find(req, targetOf(req.url))
      if (found.match.type === "nothing") void pages(req, res)
      else void serve(req, res, found)
    }
  }
}
