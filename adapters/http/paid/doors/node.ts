import process from "node:process"
import { type Check, JSON_TYPE } from "../Verdict.ts"
import { type Hold, isServed, serving } from "./serving.ts"

/** The part of Node's request that the middleware uses, with Express's additions. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly originalUrl?: string
  readonly protocol?: string
  readonly ip?: string | undefined
  readonly ips?: ReadonlyArray<string>
  readonly app?: { readonly get: (setting: "trust proxy") => unknown }
  /** The raw body, if an earlier parser has kept it. */
  readonly rawBody?: string | Uint8Array
}

/** The part of Node's response that the middleware uses. */
export interface NodeResponse {
  statusCode: number
  statusMessage?: string
  readonly setHeader: (name: string, value: string) => unknown
  readonly headersSent?: boolean
  readonly hasHeader: (name: string) => boolean
  readonly getHeaders: () => object
  /** The names as they were set; HTTP/2 has none but lower-case ones. */
  readonly getRawHeaderNames?: () => ReadonlyArray<string>
  readonly removeHeader: (name: string) => unknown
  readonly writeHead: (status: number) => unknown
  readonly write: (chunk: string) => unknown
  readonly end: (body: string) => unknown
  readonly once: (event: "close", listener: () => void) => unknown
  readonly destroy: () => unknown
  /** Express's values for the handlers of a request. */
  readonly locals?: { [name: string]: unknown }
}

/** Returns the requested address, as far as Node and Express know it. */
const addressOf = ({ headers, originalUrl, protocol, socket, url = "/" }: NodeRequest): string => {
  const path = originalUrl ?? url
  const host = headers["host"] ?? headers[":authority"]
  if (!path.startsWith("/") || typeof host !== "string") return path
  return `${protocol ?? ("encrypted" in socket ? "https" : "http")}://${host}${path}`
}

/**
 * Returns the client's address. With `trust proxy` as `true`, Express's own is the first of
 * `X-Forwarded-For`, which the client may have written. The last is what the nearest proxy saw.
 */
const clientOf = ({ app, ip, ips, socket }: NodeRequest): string | undefined =>
  (app?.get("trust proxy") === true ? ips?.at(-1) : undefined) ?? ip ?? socket.remoteAddress

type Said = ReadonlyArray<never>

const isEmpty = (chunk: unknown): boolean =>
  (typeof chunk === "string" || chunk instanceof Uint8Array) && chunk.length === 0

/** Whether Node ends an answer with that argument. It throws for every other one. */
const isEnding = (chunk: unknown): boolean =>
  !chunk || typeof chunk === "string" || typeof chunk === "function" || chunk instanceof Uint8Array

/** Whether Node writes the head of an answer, or has done so. Otherwise it throws at the end. */
const isHead = ({ headersSent, statusCode, statusMessage = "" }: NodeResponse): boolean =>
  headersSent === true ||
  (statusCode >= 100 && statusCode <= 999 && /^[\t\x20-\x7e\x80-\xff]*$/.test(statusMessage))

/** Keeps the head of an answer as it is. Returns the function that restores it. */
const keepHead = (response: NodeResponse): (() => void) => {
  const { statusCode, statusMessage } = response
  const raw = new Map(response.getRawHeaderNames?.().map((name) => [name.toLowerCase(), name]))
  const headers = Object.entries(response.getHeaders()) as ReadonlyArray<[string, string]>
  return () => {
    for (const name of Object.keys(response.getHeaders())) response.removeHeader(name)
    for (const [name, value] of headers) response.setHeader(raw.get(name) ?? name, value)
    Object.assign(response, { statusCode, statusMessage })
  }
}

/**
 * Charges for the answer when the handler ends it, which waits for that. An answer that is never
 * ended, since its client has hung up or reads no further, is charged if a part of its body was
 * sent. What is charged for is what is sent: while the end waits, nothing changes the answer, such
 * as a second answer of the handler or the error page of a handler that fails after its answer.
 */
export const finishAtEnd = (response: NodeResponse, hold: Hold): void => {
  const write: (...said: Said) => unknown = response.write.bind(response)
  const end: (...said: Said) => unknown = response.end.bind(response)
  const writeHead: (...said: Said) => unknown = response.writeHead.bind(response)
  let isEnded = false
  let isWaiting = false
  let hasBody = false
  const isSent = (): boolean => hasBody && isServed(response.statusCode)
  const writeNoting = (...said: Said): unknown => {
    if (isWaiting) return true
    hasBody ||= !isEmpty(said[0])
    return write(...said)
  }
  // Node calls it, too, when the head was not written before the end.
  const writeHeadUnlessWaiting = (...said: Said): unknown =>
    isWaiting ? response : writeHead(...said)
  const endOnce = (...said: Said): unknown => {
    if (isEnded) return response
    if (!isEnding(said[0]) || !isHead(response)) return end(...said)
    isEnded = true
    isWaiting = true
    const restoreHead = keepHead(response)
    const send = (headers: { readonly [name: string]: string }): void => {
      isWaiting = false
      if (response.headersSent !== true) {
        restoreHead()
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      }
      end(...said)
    }
    // The handler is over: without this, an answer that Node refuses would end the process.
    const fail = (error: unknown): void => {
      process.emitWarning(error instanceof Error ? error : String(error))
      response.destroy()
    }
    void hold.finish(isServed(response.statusCode)).then(send).catch(fail)
    return response
  }
  Object.assign(response, { write: writeNoting, writeHead: writeHeadUnlessWaiting, end: endOnce })
  // A stream that is piped into the answer never ends it once the connection has broken.
  response.once("close", () => void hold.breakOff(isSent()))
  hold.watch(isSent, () => void response.destroy())
}

/** Returns middleware for Express and others. In Express, see `response.locals.payment`. */
export const onNode =
  (check: Check) =>
  async (
    request: NodeRequest,
    response: NodeResponse,
    next: (error?: unknown) => void,
  ): Promise<void> => {
    const { headers, method = "GET", rawBody: body } = request
    const client = clientOf(request)
    const verdict = await check({
      method,
      url: addressOf(request),
      headers,
      ...(client !== undefined && { client }),
      ...(body !== undefined && { body }),
    }).catch((error: unknown) => {
      next(error)
    })
    if (verdict === undefined) return
    for (const [name, value] of Object.entries(verdict.headers)) response.setHeader(name, value)
    if (verdict.paid) {
      const { hold, payment } = serving(verdict)
      if (response.locals !== undefined) response.locals["payment"] = payment
      if (hold !== undefined) finishAtEnd(response, hold)
      next()
    } else {
      if (!response.hasHeader("Content-Type")) response.setHeader("Content-Type", JSON_TYPE)
      response.statusCode = verdict.status
      response.end(JSON.stringify(verdict.body))
    }
  }
