import { Agent, type Dispatcher, request } from "undici"
import { readBytes } from "../../shared/readBytes.ts"
import { withinTime } from "../../shared/withinTime.ts"

/** A signed HTTP request. */
export interface Outgoing {
  readonly method: "GET" | "POST"
  readonly origin: string
  /** Path and query. */
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** An HTTP answer with its whole body. */
export interface Incoming {
  readonly status: number
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly body: string
}

const MAX_HEADER_BYTES = 16 * 1_024

/** The longest answer: a page of a statement has up to 1,000 lines. */
const MAX_BODY_BYTES = 1_024 * 1_024

const CONNECTIONS = 64

/** Makes an agent for one channel, so that no channel waits for another's connections. */
export const makeAgent = (): Agent =>
  new Agent({
    connections: CONNECTIONS,
    allowH2: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    // withinTime limits the whole exchange, so that a slow answer cannot extend it.
    headersTimeout: 0,
    bodyTimeout: 0,
  })

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const readText = async ({ body }: Dispatcher.ResponseData): Promise<string> => {
  const bytes = await readBytes(body, MAX_BODY_BYTES)
  if (bytes === undefined) throw new Error("the answer is too long")
  return utf8.decode(bytes)
}

/**
 * Sends a request and reads the whole answer within `timeout` milliseconds. Rejects without an
 * answer in time, for an answer over 1 MiB or not in UTF-8, and if interrupted.
 */
export const exchange = (
  agent: Agent,
  { body, headers, method, origin, path }: Outgoing,
  timeout: number,
  interrupted: AbortSignal,
): Promise<Incoming> =>
  withinTime(timeout, interrupted, async ({ over, signal }) => {
    const answering = request(origin + path, {
      dispatcher: agent,
      method,
      headers: { ...headers, "Accept-Encoding": "identity" },
      ...(method === "POST" && { body }),
      signal,
    })
    // A queued request obeys its signal only once it has a connection.
    const answer = await Promise.race([answering, over])
    const text = await Promise.race([readText(answer), over])
    return { status: answer.statusCode, headers: answer.headers, body: text }
  })
