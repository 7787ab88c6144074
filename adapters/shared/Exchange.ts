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
}

/** The used part of a response: Node's own, or one that makes a fetch `Response`. */
export interface Outgoing extends Writable {
  /** Names and values of headers alternate. */
  writeHead(status: number, headers: Array<string>): unknown
  flushHeaders(): void
}
