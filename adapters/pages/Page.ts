import type { Effect } from "effect"
import type { ReplyTaken } from "../../core/idempotency/Reply.ts"
import type { StoreUnavailable } from "../../core/ports/Store.ts"
import type { Failure } from "../../core/shared/Failure.ts"
import type { Incoming, Outgoing } from "../shared/Exchange.ts"
import type { EventFeed } from "../shared/streams/EventFeed.ts"
import type { WireEvent } from "../shared/streams/eventStreams.ts"
import type { Language } from "./shared/Language.ts"

/** What every page needs of where it is served. */
export interface Site {
  /** The public base address, without a trailing slash. */
  readonly base_url: string
  /** The path of that address, before which links within the site stand; empty for the top. */
  readonly root: string
  readonly mode: "sandbox" | "live"
  /** The path of a built file by its name, such as `payment.css`. */
  readonly asset: (name: string) => string
}

/** A request of a page. */
export interface PageRequest {
  readonly site: Site
  readonly method: string
  /** The path within the site, as sent. */
  readonly path: string
  readonly params: { readonly [name: string]: string | undefined }
  readonly query: URLSearchParams
  /** The fields of a form; empty unless the page reads one. */
  readonly form: URLSearchParams
  /** What the reader understands, by `?lang=` and `Accept-Language`. */
  readonly language: Language
  /** The reader's notation of numbers: that language, with the region that they name. */
  readonly locale: string
  /** The client's address, from behind trusted proxies too. */
  readonly address: string
  readonly req: Incoming
  readonly res: Outgoing
}

/** A whole answer. Every answer has the headers of `securityHeaders.ts` as well. */
export interface PageAnswer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Uint8Array
}

/** A record that the reader follows: its states, until the last. */
export interface PageEvents<R> {
  readonly feed: EventFeed<WireEvent, unknown, R>
}

/** The page answers by itself, on `res`: a stream, or what it has passed on. */
export const TAKEN = "taken"

/** One row of the table of pages. */
export interface Page<R> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** With a colon before each parameter; `*` at the end takes the rest. */
  readonly path: string
  /**
   * `form` reads the fields of a form; `unread` leaves the body to the page. Neither is reached
   * from a page elsewhere.
   */
  readonly body?: "form" | "unread"
  /** As how many requests it counts for its address; one unless given. */
  readonly weight?: number
  readonly handle: (
    request: PageRequest,
  ) => Effect.Effect<
    PageAnswer | PageEvents<R> | typeof TAKEN,
    Failure | StoreUnavailable | ReplyTaken,
    R
  >
}
