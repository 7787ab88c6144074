import type { IncomingHttpHeaders } from "node:http"
import type { Readable, Writable } from "node:stream"

/** What is read of a request: node's own has it, and one that is made of a fetch `Request`. */
export interface Incoming extends Readable {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: IncomingHttpHeaders
  /** Whether all of it has arrived. */
  readonly complete: boolean
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/** What a response is written to: node's own, or what makes a fetch `Response` of it. */
export interface Outgoing extends Writable {
  /** Names and values of headers alternate. */
  writeHead(status: number, headers: Array<string>): unknown
  flushHeaders(): void
}
