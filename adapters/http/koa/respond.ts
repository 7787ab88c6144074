import type { IncomingMessage, ServerResponse } from "node:http"
import type { Standing } from "../../../core/billing/RateWindow.ts"
import type { Answer } from "./Answer.ts"
import { announcedLength } from "../../shared/readBody.ts"

/** How long a caller may go on sending a body that nobody reads, in milliseconds. */
const LINGER = 500

/** The headers that every answer has. */
export interface CommonHeaders {
  readonly requestId: string
  readonly idempotencyKey: string | null
  /** How the caller's account stands in its minute; null where nobody is limited. */
  readonly standing: Standing | null
  /** Whether the connection ends with this answer. */
  readonly close: boolean
}

/** The head of an answer as names and values by turns. */
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

/** Whether more of the body is to come than the connection is worth. */
const isLongBody = (req: IncomingMessage, limit: number): boolean => {
  if (req.complete) return false
  const announced = announcedLength(req)
  return announced === undefined || announced > limit
}

/**
 * Ends the answer a little later than its last byte. A connection that is closed on a caller who
 * still sends is reset, and the reset may overtake the answer.
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

/** Sends a body. A caller that hung up gets nothing, and nothing fails because of that. */
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
    // Text of one byte a character is the same in both, and cheaper to write in the first.
    if (typeof text === "string") res.end(text, bytes === text.length ? "latin1" : "utf8")
    else res.end(text)
    return
  }
  res.write(text)
  endLater(req, res)
}
