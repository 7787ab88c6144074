import { type Incoming, isFramed } from "../../shared/Exchange.ts"

/** How long an unread body is received once its request has been answered, in milliseconds. */
const LINGER = 500

/** The code of HTTP/2 with which a whole answer ends a request that is not whole. */
const NO_ERROR = 0

/**
 * Ends an HTTP/2 request shortly after its answer, whoever answers it: the connection stays, and
 * would wait for the rest of a body that nobody reads, or receive it without an end.
 */
export const endUnread = (req: Incoming): void => {
  const stream = isFramed(req) ? req.stream : undefined
  // The response itself finishes only with its request.
  stream?.once("finish", () => {
    if (req.complete) return
    const timer = setTimeout(() => stream.close(NO_ERROR), LINGER)
    req.once("end", () => clearTimeout(timer)).once("close", () => clearTimeout(timer))
    req.resume()
  })
}
