import type { Socket } from "node:net"
import { randomUUID } from "node:crypto"
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http"

interface Flaw {
  readonly status: number
  readonly message: string
}

/** What a request is told that took too long to arrive. */
export const TOO_SLOW = { status: 408, message: "The request took too long to arrive." } as const

const flawOf = (code: string | undefined): Flaw =>
  code === "HPE_HEADER_OVERFLOW"
    ? { status: 431, message: "The headers of the request are too large." }
    : code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? TOO_SLOW
      : { status: 400, message: "The request is not valid HTTP." }

const HEADERS = { "Cache-Control": "no-store", "Content-Type": "application/json; charset=utf-8" }

/** Returns the answer in the shape of every other error. */
const refusal = ({ message, status }: Flaw) => {
  const body = JSON.stringify({ error: "validation_error", code: "INVALID_REQUEST", message })
  const headers = {
    "X-Request-Id": `req_${randomUUID()}`,
    ...HEADERS,
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
  }
  return { status, headers, body }
}

/** Headers of which a server before this one may have heeded another than the one read here. */
const ONCE: ReadonlySet<string> = new Set(["host", "authorization", "content-type"])

/** A host and a port, as Host may name them, also none. */
const HOST = /^[^\s/?#@,\\<>"]*$/

/** Returns which header is there twice that may be there once. */
const twice = (names: ReadonlyArray<string>): string | undefined => {
  const seen = new Set<string>()
  for (let at = 0; at < names.length; at += 2) {
    const name = (names[at] ?? "").toLowerCase()
    if (!ONCE.has(name)) continue
    if (seen.has(name)) return name
    seen.add(name)
  }
  return undefined
}

type Head = Pick<IncomingMessage, "httpVersion" | "headers" | "rawHeaders">

/**
 * Returns why a head that Node has read is not valid HTTP (RFC 9112); undefined if it is. HTTP 1.0
 * has neither to name a host nor chunks.
 */
const flawOfHead = ({ headers, httpVersion, rawHeaders }: Head): string | undefined => {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return "Send HTTP/1.1 or HTTP/1.0."
  const { host, "transfer-encoding": coding } = headers
  if (host === undefined && httpVersion === "1.1") return "The request has no Host header."
  if (!HOST.test(host ?? "")) return "The request's Host header is no host."
  if (coding !== undefined && (httpVersion === "1.0" || coding.toLowerCase() !== "chunked")) {
    return "Send the body with a Content-Length, or with Transfer-Encoding: chunked in HTTP/1.1."
  }
  const name = twice(rawHeaders)
  return name && `The request has the header ${name} twice.`
}

/** Refuses a request whose head is not valid HTTP though Node has read it, and closes. */
export const refuseMalformed = (req: Head, res: ServerResponse): boolean => {
  const message = flawOfHead(req)
  if (message === undefined) return false
  const { body, headers, status } = refusal({ status: 400, message })
  res.writeHead(status, headers).end(body)
  return true
}

/** Tells whether nothing can be written on the connection any more. */
const isGone = ({ code }: NodeJS.ErrnoException, socket: Socket): boolean =>
  code === "ECONNRESET" || !socket.writable

const answer = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (isGone(error, socket)) {
    socket.destroy()
    return
  }
  const { body, headers, status } = refusal(flawOf(error.code))
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines]
  socket.end([...head, "", body].join("\r\n"), () => socket.destroy())
}

/**
 * Calls its argument once all whole requests of a connection are answered; whether the request that
 * is not whole has an answer already.
 */
export type AfterAnswers = (socket: Socket, then: (hasAnswer: boolean) => void) => void

/**
 * Answers invalid, too large or too slow HTTP, and closes the connection. A request that arrived
 * whole before it gets its own answer first: whoever read this one in its place would take for
 * refused what is being carried out. A request that was answered before it was whole gets no second
 * answer: it would be taken for that of the next one.
 */
export const answersMalformed = (after: AfterAnswers) => {
  const refused = new WeakSet<Socket>()
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (isGone(error, socket)) return answer(error, socket)
    if (refused.has(socket)) return
    refused.add(socket)
    after(socket, (hasAnswer) => {
      if (hasAnswer) socket.destroySoon()
      else answer(error, socket)
    })
  }
}
