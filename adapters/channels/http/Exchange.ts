import { Agent, type Dispatcher, request } from "undici"
import { readBytes } from "../../shared/readBytes.ts"
import { withinTime } from "../../shared/withinTime.ts"

/** A request as it goes out. */
export interface Outgoing {
  readonly method: "GET" | "POST"
  readonly origin: string
  /** Path and query. */
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** An answer as it came in. */
export interface Incoming {
  readonly status: number
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly body: string
}

const MAX_HEADER_BYTES = 16 * 1_024

/** No answer may be longer: a page of a statement has up to 1,000 lines. */
const MAX_BODY_BYTES = 1_024 * 1_024

const CONNECTIONS = 64

/** Connections of their own for one channel; no channel waits for another's. */
export const makeAgent = (): Agent =>
  new Agent({
    connections: CONNECTIONS,
    allowH2: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The exchange as a whole has a time limit, which a slow drip cannot stretch.
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
 * Sends a request and reads the whole answer, within `timeout` milliseconds and as long as nobody
 * interrupts it. Rejects when anything of that does not happen.
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
    // A request that waits for a connection heeds its signal only when it gets one.
    const answer = await Promise.race([answering, over])
    const text = await Promise.race([readText(answer), over])
    return { status: answer.statusCode, headers: answer.headers, body: text }
  })
