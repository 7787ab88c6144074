import { setTimeout as pause } from "node:timers/promises"
import { VERSION } from "../../core/shared/Version.ts"
import { readBytes } from "../shared/readBytes.ts"

/** The service cannot be reached. The message says what to do. */
export class Unreachable extends Error {}

/** A request has reached the service, or may have, and its answer is missing. */
export class AnswerLost extends Unreachable {}

/** A payport service over HTTP. */
export interface RemoteService {
  /** Its URL, without a slash at the end. */
  readonly url: string
  /** The path of its tools. */
  readonly path: string
  /** Returns the caller's key; undefined without one. */
  readonly key: () => Promise<string | undefined>
}

/** A JSON-RPC response. `error` may be a refusal by HTTP. */
export interface RpcAnswer {
  readonly result?: { readonly [name: string]: unknown }
  readonly error?: { readonly code: number; readonly message: string; readonly data?: object }
}

const REVISION = "2026-07-28"

const META = {
  "io.modelcontextprotocol/protocolVersion": REVISION,
  "io.modelcontextprotocol/clientInfo": { name: "payport-stdio", version: VERSION },
  "io.modelcontextprotocol/clientCapabilities": {},
}

/** The longest answer, in bytes: far longer than a page of a hundred tools. */
const MOST_BYTES = 16 * 1024 * 1024

/** Time limit of a response in milliseconds: longer than the service needs at most. */
const ANSWER_TIMEOUT = 45_000

/** Failures of a connection that was never made, besides those of its system calls. */
const NEVER_MADE =
  /^(?:ERR_TLS|ERR_SSL_WRONG_VERSION|CERT|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)_|CONNECT_TIMEOUT$/

const CONNECTING: ReadonlySet<unknown> = new Set(["connect", "getaddrinfo"])

/** Messages, without a code, of URLs that are never asked. Others follow a sent request. */
const NEVER_ASKED: ReadonlySet<unknown> = new Set(["bad port", "unknown scheme"])

/**
 * Tells why a request was certainly not sent; undefined if it may have been. An error without a
 * cause holds the headers, and so the key, in its message.
 */
const notSent = (error: unknown): string | undefined => {
  if (!(error instanceof TypeError)) return undefined
  const { cause } = error
  if (!(cause instanceof Error)) return "the request cannot be made with this URL and key"
  const { code, syscall } = cause as NodeJS.ErrnoException
  if (code === undefined) return NEVER_ASKED.has(cause.message) ? cause.message : undefined
  // Of an AggregateError, several addresses were tried, and none of them answered.
  const isNeverMade =
    cause instanceof AggregateError || NEVER_MADE.test(code) || CONNECTING.has(syscall)
  return isNeverMade ? code : undefined
}

const lost = (url: string, cause?: unknown) =>
  new AnswerLost(`The payport at ${url} gave no answer. The request may have taken effect.`, {
    cause,
  })

/** A proxy limits requests before the service does, which would answer as JSON. */
const tooMany = (url: string, headers: Headers) => {
  const said = headers.get("Retry-After") ?? ""
  const when = /^\d{1,9}$/.test(said) ? `in ${said} seconds` : "later"
  return new Unreachable(
    `A proxy before the payport at ${url} has refused the request, because there are too many ` +
      `(429). It had no effect. Repeat it ${when}.`,
  )
}

/** The methods that send the key: a call needs it, and it allows more streams. */
const KEYED: ReadonlySet<string> = new Set(["tools/call", "subscriptions/listen"])

const send = async (
  { key, path, url }: RemoteService,
  method: string,
  params: { readonly [name: string]: unknown },
  signal: AbortSignal,
): Promise<Response> => {
  const apiKey = KEYED.has(method) ? await key() : undefined
  try {
    return await fetch(`${url}${path}`, {
      method: "POST",
      redirect: "error",
      signal,
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": REVISION,
        "Mcp-Method": method,
        ...(typeof params["name"] === "string" && { "Mcp-Name": params["name"] }),
        ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    })
  } catch (error) {
    const reason = notSent(error)
    if (reason === undefined) throw lost(url, error)
    const message = `No payport answers at ${url} (${reason}). Start one with: npm start`
    throw new Unreachable(message, { cause: error })
  }
}

const isAnswer = (value: unknown): value is RpcAnswer =>
  typeof value === "object" && value !== null && ("result" in value || "error" in value)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** What a request has besides its parameters. */
interface Asking {
  readonly meta?: { readonly [name: string]: unknown }
  /** Hangs up once nobody waits for the answer, so that the service waits for nothing either. */
  readonly cancelled?: AbortSignal | undefined
}

/**
 * Sends one request and reads its answer. Rejects with {@link Unreachable}, and with
 * {@link AnswerLost} if the request may have taken effect.
 */
export const ask = async (
  service: RemoteService,
  method: string,
  params: { readonly [name: string]: unknown },
  { cancelled, meta = {} }: Asking = {},
): Promise<RpcAnswer> => {
  const said = { ...params, _meta: { ...META, ...meta } }
  const late = AbortSignal.timeout(ANSWER_TIMEOUT)
  const signal = cancelled === undefined ? late : AbortSignal.any([late, cancelled])
  const response = await send(service, method, said, signal)
  const body = response.body ?? new Blob().stream()
  const bytes = await readBytes(body, MOST_BYTES).catch((error: unknown) => {
    throw lost(service.url, error)
  })
  if (bytes === undefined) throw lost(service.url)
  const answer = parsed(new TextDecoder().decode(bytes))
  if (isAnswer(answer)) return answer
  // A proxy answers so if the service behind it has not answered, or not in time.
  if (response.status >= 500) throw lost(service.url)
  if (response.status === 429) throw tooMany(service.url, response.headers)
  throw new Unreachable(
    `The server at ${service.url} is not a payport: it answered ${response.status}. Check the URL.`,
  )
}

const CHANGED = "notifications/tools/list_changed"

const isChange = (frame: string): boolean =>
  frame.split("\n").some((line) => {
    if (!line.startsWith("data:")) return false
    try {
      return (JSON.parse(line.slice(5)) as { readonly method?: unknown }).method === CHANGED
    } catch {
      return false
    }
  })

/** Reads one stream of notifications to its end. */
const listen = async (
  service: RemoteService,
  onChange: () => void,
  opened: () => void,
  signal: AbortSignal,
): Promise<void> => {
  const params = { notifications: { toolsListChanged: true }, _meta: META }
  const response = await send(service, "subscriptions/listen", params, signal)
  if (!response.ok || response.body === null) return
  opened()
  let waiting = ""
  const text = response.body.pipeThrough(new TextDecoderStream())
  for await (const part of text) {
    const frames = (waiting + part).split("\n\n")
    waiting = frames.pop() ?? ""
    if (frames.some(isChange)) onChange()
  }
}

const FIRST_PAUSE = 500
const LONGEST_PAUSE = 30_000

/**
 * Calls `onChange` when the service's tools have changed, and when its stream is restored after a
 * break, during which they may have changed. Ends when `signal` aborts.
 */
export const followChanges = async (
  service: RemoteService,
  onChange: () => void,
  signal: AbortSignal,
): Promise<void> => {
  let wait = FIRST_PAUSE
  let before = false
  while (!signal.aborted) {
    const opened = () => {
      wait = FIRST_PAUSE
      if (before) onChange()
      before = true
    }
    await listen(service, onChange, opened, signal).catch(() => undefined)
    await pause(wait, undefined, { signal }).catch(() => undefined)
    wait = Math.min(wait * 2, LONGEST_PAUSE)
  }
}
