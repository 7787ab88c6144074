import type { IncomingHttpHeaders } from "node:http"
import type { Readable, Writable } from "node:stream"

/** The used part of a request: Node's own, or one made from a fetch `Request`. */
export interface Incoming extends Readable {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: IncomingHttpHeaders
  /** Whether the whole request has arrived. */
  readonly complete: boolean
  readonly socket: { readonly remoteAddress?: string | undefined }
  /** The version of HTTP; 1 if it is missing. */
  readonly httpVersionMajor?: number
  /** Whether an HTTP/2 request was broken off: then it counts as complete. */
  readonly aborted?: boolean
  /** The stream of an HTTP/2 request. */
  readonly stream?: {
    readonly endAfterHeaders: boolean
    readonly close: (code: number) => void
    readonly once: (event: "finish", then: () => void) => unknown
  }
}

/**
 * Whether a request came by HTTP/2: nothing has to announce its body, and headers about connections
 * do not exist.
 */
export const isFramed = ({ httpVersionMajor = 1 }: Incoming): boolean => httpVersionMajor > 1

/** The host and port that a request names: HTTP/2 has them in a field of its own. */
export const hostOf = ({ headers }: Pick<Incoming, "headers">): string | undefined => {
  const { ":authority": authority } = headers
  return headers.host ?? (typeof authority === "string" ? authority : undefined)
}

/** Whether the caller of an HTTP/2 request has broken it off. */
export const isBrokenOff = (req: Incoming): boolean => isFramed(req) && req.aborted === true

/** The used part of a response: Node's own, or one that makes a fetch `Response`. */
export interface Outgoing extends Writable {
  /** Names and values of headers alternate. */
  writeHead(status: number, headers: Array<string>): unknown
  flushHeaders(): void
}
