import type { Socket } from "node:net"
import { randomUUID } from "node:crypto"
import { STATUS_CODES } from "node:http"

interface Flaw {
  readonly status: number
  readonly message: string
}

const flawOf = (code: string | undefined): Flaw =>
  code === "HPE_HEADER_OVERFLOW"
    ? { status: 431, message: "The headers of the request are too large." }
    : code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? { status: 408, message: "The request took too long to arrive." }
      : { status: 400, message: "The request is not valid HTTP." }

/** Answers invalid, too large or too slow HTTP in the shape of every other error. */
export const answerMalformed = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, message } = flawOf(error.code)
  const body = JSON.stringify({ error: "validation_error", code: "INVALID_REQUEST", message })
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `X-Request-Id: req_${randomUUID()}`,
      "Cache-Control: no-store",
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
    () => socket.destroy(),
  )
}
