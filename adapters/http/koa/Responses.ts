import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Outgoing } from "../../shared/Exchange.ts"
import type { Dispatch } from "./Dispatcher.ts"
import { type AfterAnswers, refuseMalformed } from "./malformed.ts"
import { targetOf } from "./readRequest.ts"

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

/** The responses of a server, from the arrival of a request until its response is written. */
export class Responses {
  #answering = 0
  /** By connection, since a client may send requests before it has the earlier answers. */
  readonly #open = new WeakMap<Socket, Set<ServerResponse>>()
  /** The last request of a connection. Only that may not have arrived whole. */
  readonly #last = new WeakMap<Socket, ServerResponse>()
  #isDraining = false

  /** Whether the server is stopping. */
  readonly isDraining = (): boolean => this.#isDraining

  /** Returns the number of responses that are not completely written. */
  readonly answering = (): number => this.#answering

  drain(): void {
    this.#isDraining = true
  }

  /** Counts a response until it has been written. */
  count(res: Outgoing): void {
    this.#answering++
    res.once("close", () => this.#answering--)
  }

  #keep({ socket }: IncomingMessage, res: ServerResponse): void {
    const open = this.#open.get(socket) ?? new Set()
    this.#open.set(socket, open.add(res))
    this.#last.set(socket, res)
    res.once("close", () => open.delete(res))
  }

  readonly afterAnswers: AfterAnswers = (socket, then) => {
    const whole = [...(this.#open.get(socket) ?? [])].filter(({ req }) => req.complete)
    const last = this.#last.get(socket)
    const end = () => then(last !== undefined && !last.req.complete && last.headersSent)
    let left = whole.length
    if (left === 0) return end()
    for (const res of whole) {
      res.once("close", () => {
        left -= 1
        if (left === 0) end()
      })
    }
  }

  /** Returns a listener for requests of the interface. Other paths go to `pages`. */
  listener<R>(
    { find, serve }: Dispatch<R>,
    pages: (req: IncomingMessage, res: ServerResponse) => unknown,
  ) {
    return (req: IncomingMessage, res: ServerResponse): void => {
      this.count(res)
      this.#keep(req, res)
      const flaw = flawOfHead(req)
      if (flaw !== undefined) return refuseMalformed(res, flaw)
      const found = find(req, targetOf(req.url))
      if (found.match.type === "nothing") void pages(req, res)
      else void serve(req, res, found)
    }
  }
}
