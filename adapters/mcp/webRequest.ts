import type { Incoming, Outgoing } from "../shared/Exchange.ts"

/** The most bytes that may wait for a reader; beyond that it is disconnected. */
const MOST_WAITING = 1024 * 1024

const HIDDEN = new Set(["connection", "keep-alive", "transfer-encoding", "content-length"])

/**
 * The request, without its body, as a `Request` of the fetch API. A caller that accepts anything
 * accepts both JSON and an event stream.
 */
export const webRequest = (req: Incoming, url: string, signal: AbortSignal): Request => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers)) {
    if (value === undefined || HIDDEN.has(name)) continue
    for (const one of typeof value === "string" ? [value] : value) headers.append(name, one)
  }
  const accepts = headers.get("accept")
  if (accepts === null || accepts.includes("*/*")) {
    headers.set("accept", "application/json, text/event-stream")
  }
  return new Request(url, { method: req.method ?? "GET", headers, signal })
}

const PROPER: Array<[string, string]> = [
  ["Cache-Control", "no-store"],
  ["X-Content-Type-Options", "nosniff"],
]

/** How long a caller may go on sending an unread body, in milliseconds. */
const LINGER = 500

/** Closing at once on a caller that still sends would reset the connection, and lose the answer. */
const hangUpAfter = (req: Incoming, res: Outgoing): void => {
  req.resume()
  res.once("finish", () => {
    const timer = setTimeout(() => req.destroy(), LINGER).unref()
    req.once("close", () => clearTimeout(timer))
  })
}

/** Sends a `Response`; a stream until it ends, its reader leaves, or too much waits for it. */
export const sendResponse = async (
  req: Incoming,
  res: Outgoing,
  response: Response,
  headers: { readonly [name: string]: string },
): Promise<void> => {
  const body = response.body as ReadableStream<Uint8Array> | null
  const reader = body?.getReader()
  if (res.destroyed) {
    await reader?.cancel()
    return
  }
  const isSending = !req.complete && req.method === "POST"
  const head = new Headers(PROPER)
  for (const [name, value] of response.headers) head.set(name, value)
  for (const [name, value] of Object.entries(headers)) head.set(name, value)
  if (isSending) head.set("Connection", "close")
  const isEmpty = reader === undefined && req.method !== "HEAD" && response.status !== 204
  if (isEmpty) head.set("Content-Length", "0")
  res.writeHead(response.status, [...head].flat())
  if (isSending) hangUpAfter(req, res)
  if (reader === undefined) {
    res.end()
    return
  }
  res.flushHeaders()
  res.once("close", () => void reader.cancel().catch(() => undefined))
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    if (res.writableLength > MOST_WAITING) {
      res.destroy()
      return
    }
    res.write(value)
  }
  res.end()
}
