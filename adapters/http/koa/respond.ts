import type { IncomingMessage, ServerResponse } from "node:http"
import type { Standing } from "../../../core/billing/RateWindow.ts"
import type { Answer } from "./Answer.ts"
import { announcedLength } from "../../shared/readBody.ts"

/** How long a caller may go on sending an unread body, in milliseconds. */
const LINGER = 500

/** The values of the headers that every response has. */
export interface CommonHeaders {
  readonly requestId: string
  readonly idempotencyKey: string | null
  /** The account's use of its rate in this minute; null where no rate applies. */
  readonly standing: Standing | null
  /** Whether the connection closes after this response. */
  readonly close: boolean
}

/** The headers of a response as alternating names and values. */
export const headOf = (common: CommonHeaders): Array<string> => {
  const head = [
    "X-Request-Id",
    common.requestId,
    "Cache-Control",
    "no-store",
    "X-Content-Type-Options",
    "nosniff",
  ]
  if (common.idempotencyKey !== null) head.push("Idempotency-Key", common.idempotencyKey)
  if (common.standing !== null) {
    const { limit, remaining, reset } = common.standing
    head.push("RateLimit-Limit", String(limit), "RateLimit-Remaining", String(remaining))
    head.push("RateLimit-Reset", String(reset))
  }
  if (common.close) head.push("Connection", "close")
  return head
}

/** Whether the rest of the body is too long to be read for keeping the connection. */
const isLongBody = (req: IncomingMessage, limit: number): boolean => {
  if (req.complete) return false
  const announced = announcedLength(req)
  return announced === undefined || announced > limit
}

/**
 * Ends the response a little later than its last byte. Closing at once on a caller that still sends
 * resets the connection, and the reset may overtake the response.
 */
const endLater = (req: IncomingMessage, res: ServerResponse) => {
  const end = () => {
    clearTimeout(timer)
    res.end()
  }
  const timer = setTimeout(end, LINGER)
  req.on("end", end).on("close", end)
  req.resume()
}

/** Sends a body. Does nothing for a caller that hung up. */
export const respond = (
  req: IncomingMessage,
  res: ServerResponse,
  answer: Extract<Answer<unknown>, { type: "body" }>,
  common: CommonHeaders,
  limit: number,
): void => {
  if (res.destroyed) return
  const long = isLongBody(req, limit)
  const { text } = answer
  const bytes = typeof text === "string" ? Buffer.byteLength(text) : text.length
  const head = headOf({ ...common, close: common.close || long })
  head.push("Content-Type", answer.contentType, "Content-Length", String(bytes), ...answer.headers)
  res.writeHead(answer.status, head)
  if (!long) {
    // ASCII is the same in both encodings, and latin1 is cheaper to write.
    if (typeof text === "string") res.end(text, bytes === text.length ? "latin1" : "utf8")
    else res.end(text)
    return
  }
  res.write(text)
  endLater(req, res)
}
