import type { IncomingMessage, ServerResponse } from "node:http"
import { answerMalformed } from "./malformed.ts"

/** HTTP 1.1 requires the header; HTTP 1.0 does not. */
const hasHost = (req: Pick<IncomingMessage, "httpVersion" | "headers">): boolean =>
  req.httpVersion !== "1.1" || req.headers.host !== undefined

/** The responses of a server, from the arrival of their requests until they have been written. */
export class Responses {
  #answering = 0
  #isDraining = false

  /** Whether the server is stopping. */
  readonly isDraining = (): boolean => this.#isDraining

  /** How many have not been written to their end. */
  readonly answering = (): number => this.#answering

  drain(): void {
    this.#isDraining = true
  }

  /** Hears requests for `serve`, and counts their responses. */
  listener(serve: (req: IncomingMessage, res: ServerResponse) => unknown) {
    return (req: IncomingMessage, res: ServerResponse): void => {
      this.#answering++
      res.once("close", () => this.#answering--)
      if (hasHost(req)) void serve(req, res)
      else answerMalformed(new Error("no Host"), req.socket)
    }
  }
}
