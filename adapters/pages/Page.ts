import type { Effect } from "effect"
import type { ReplyTaken } from "../../core/idempotency/Reply.ts"
import type { StoreUnavailable } from "../../core/ports/Store.ts"
import type { Failure } from "../../core/shared/Failure.ts"
import type { Incoming, Outgoing } from "../shared/Exchange.ts"
import type { EventFeed } from "../shared/streams/EventFeed.ts"
import type { WireEvent } from "../shared/streams/eventStreams.ts"
import type { Language } from "./shared/Language.ts"

/** The place where pages are served. */
export interface Site {
  /** The public base address, without a final slash. */
  readonly base_url: string
  /** The path of that address, with which links within the site begin; empty for the root. */
  readonly root: string
  readonly mode: "sandbox" | "live"
  /** Returns the path of a built file by its name, such as `payment.css`. */
  readonly asset: (name: string) => string
}

/** A request for a page. */
export interface PageRequest {
  readonly site: Site
  readonly method: string
  /** The path within the site, as sent. */
  readonly path: string
  readonly params: { readonly [name: string]: string | undefined }
  readonly query: URLSearchParams
  /** The fields of a form; empty unless the page reads one. */
  readonly form: URLSearchParams
  /** The reader's language, by `?lang=` and `Accept-Language`. */
  readonly language: Language
  /** The reader's locale for numbers: that language, with the requested region. */
  readonly locale: string
  /** The client's address, also behind trusted proxies. */
  readonly address: string
  readonly req: Incoming
  readonly res: Outgoing
}

/** A complete answer. Every answer also has the headers of `securityHeaders.ts`. */
export interface PageAnswer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Uint8Array
}

/** A record whose states the reader follows, until the last one. */
export interface PageEvents<R> {
  readonly feed: EventFeed<WireEvent, unknown, R>
}

/** The page answers by itself on `res`: with a stream, or with a passed-on answer. */
export const TAKEN = "taken"

/** One row of the table of pages. */
export interface Page<R> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** With a colon before each parameter. `*` at the end matches the rest. */
  readonly path: string
  /**
   * `form` reads the fields of a form. `unread` leaves the body to the page. Both refuse requests
   * from pages of other sites.
   */
  readonly body?: "form" | "unread"
  /** The weight of a request for its address; 1 by default. */
  readonly weight?: number
  readonly handle: (
    request: PageRequest,
  ) => Effect.Effect<
    PageAnswer | PageEvents<R> | typeof TAKEN,
    Failure | StoreUnavailable | ReplyTaken,
    R
  >
}
