import { type Incoming, isFramed, type Outgoing } from "../shared/Exchange.ts"

/** The most bytes that wait for a reader. Beyond that it is disconnected. */
const MOST_WAITING = 1024 * 1024

const HIDDEN = new Set(["connection", "keep-alive", "transfer-encoding", "content-length"])

/**
 * Returns the request without its body as a `Request` of the fetch API. A caller that accepts
 * anything accepts both JSON and an event stream.
 */
export const webRequest = (req: Incoming, url: string, signal: AbortSignal): Request => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers)) {
    if (value === undefined || HIDDEN.has(name) || name.startsWith(":")) continue
    for (const one of typeof value === "string" ? [value] : value) headers.append(name, one)
  }
  const accepts = headers.get("accept")
  if (accepts === null || accepts.includes("*/*")) {
    headers.set("accept", "application/json, text/event-stream")
  }
  return new Request(url, { method: req.method ?? "GET", headers, signal })
}

const PROPER = { "cache-control": "no-store", "x-content-type-options": "nosniff" }

/** How long an unread body is received before the connection closes, in milliseconds. */
const LINGER = 500

/** Closing at once while the caller still sends would reset the connection and lose the answer. */
const hangUpAfter = (req: Incoming, res: Outgoing): void => {
  req.resume()
  res.once("finish", () => {
    const timer = setTimeout(() => req.destroy(), LINGER).unref()
    req.once("close", () => clearTimeout(timer))
  })
}

/** JSON as an answer: a `Response` of it would cost as much as reading the request. */
export class Text {
  readonly status = 200
  readonly headers = new Map([["content-type", "application/json"]])
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Answer = Response | Text

/** Returns the text of an answer; undefined for a stream. */
const wholeOf = async (answer: Answer): Promise<string | undefined> => {
  if (answer instanceof Text) return answer.text
  const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true
  return isStream ? undefined : answer.text()
}

/** Sends a stream until it ends, its reader leaves, or too many bytes wait. */
const sendStream = async (
  res: Outgoing,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<void> => {
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

/** Sends an answer. One without a stream is sent as a whole, with its length. */
export const sendResponse = async (
  req: Incoming,
  res: Outgoing,
  response: Answer,
  headers: { readonly [name: string]: string },
): Promise<void> => {
  const body =
    response instanceof Text ? null : (response.body as ReadableStream<Uint8Array> | null)
  const whole = await wholeOf(response)
  if (res.destroyed) {
    if (whole === undefined) await body?.cancel()
    return
  }
  const isSending = !req.complete && req.method === "POST" && !isFramed(req)
  const hasLength = whole !== undefined && req.method !== "HEAD" && response.status !== 204
  const head: { readonly [name: string]: string } = {
    ...PROPER,
    ...Object.fromEntries(response.headers),
    ...headers,
    ...(isSending && { connection: "close" }),
    ...(hasLength && { "content-length": String(Buffer.byteLength(whole)) }),
  }
  res.writeHead(response.status, Object.entries(head).flat())
  if (isSending) hangUpAfter(req, res)
  const reader = whole === undefined ? body?.getReader() : undefined
  if (reader === undefined) res.end(whole)
  else await sendStream(res, reader)
}
