import type { Socket } from "node:net"
import { randomUUID } from "node:crypto"
import { type ServerResponse, STATUS_CODES } from "node:http"

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

/** Refuses a request that is no valid HTTP though Node has read its head, and closes. */
export const refuseMalformed = (res: ServerResponse, message: string): void => {
  const { body, headers, status } = refusal({ status: 400, message })
  res.writeHead(status, headers).end(body)
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
