import { Agent, type Dispatcher, request } from "undici"

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

const readText = async (answer: Dispatcher.ResponseData): Promise<string> => {
  const chunks: Array<Buffer> = []
  let read = 0
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    read += chunk.length
    if (read > MAX_BODY_BYTES) throw new Error("the answer is too long")
    chunks.push(chunk)
  }
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks))
}

/**
 * Sends a request and reads the whole answer, within `timeout` milliseconds and as long as nobody
 * interrupts it. Rejects when anything of that does not happen.
 */
export const exchange = async (
  agent: Agent,
  { body, headers, method, origin, path }: Outgoing,
  timeout: number,
  interrupted: AbortSignal,
): Promise<Incoming> => {
  const control = new AbortController()
  const { promise: over, reject } = Promise.withResolvers<never>()
  over.catch(() => undefined)
  const stop = (reason: unknown) => {
    control.abort(reason)
    reject(reason)
  }
  const timer = setTimeout(() => stop(new Error(`no answer within ${timeout} ms`)), timeout)
  const leave = () => stop(interrupted.reason)
  interrupted.addEventListener("abort", leave)
  try {
    const answering = request(origin + path, {
      dispatcher: agent,
      method,
      headers: { ...headers, "Accept-Encoding": "identity" },
      ...(method === "POST" && { body }),
      signal: control.signal,
    })
    // A request that waits for a connection heeds its signal only when it gets one.
    const answer = await Promise.race([answering, over])
    const text = await Promise.race([readText(answer), over])
    return { status: answer.statusCode, headers: answer.headers, body: text }
  } finally {
    clearTimeout(timer)
    interrupted.removeEventListener("abort", leave)
  }
}
