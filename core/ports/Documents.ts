import { Context, type Effect } from "effect"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { Conflict, StoreUnavailable } from "./Store.ts"

/** A small piece of state that an adapter keeps for itself. */
export interface Document {
  readonly scope: string
  readonly id: string
  /** From 1; 0 says that there must be none yet. */
  readonly version: number
  readonly body: unknown
  /** When its owner wants to look at it again. */
  readonly due_at: Timestamp | null
}

/**
 * Durable state that is no part of the protocol, such as the heads of the audit log, the sandbox's
 * clock and its channels' own books. Bodies are JSON; a put names the version that it replaces.
 */
export class Documents extends Context.Service<
  Documents,
  {
    readonly get: (
      scope: string,
      id: string,
    ) => Effect.Effect<Document | undefined, StoreUnavailable>
    /** Stores the body as version + 1; `Conflict` when another version is there. */
    readonly put: (document: Document) => Effect.Effect<void, Conflict | StoreUnavailable>
    readonly list: (scope: string) => Effect.Effect<ReadonlyArray<Document>, StoreUnavailable>
    /** Up to `limit` of those whose id begins with `prefix` and comes after `after`, by id. */
    readonly page: (
      scope: string,
      page: { readonly prefix: string; readonly after: string; readonly limit: number },
    ) => Effect.Effect<ReadonlyArray<Document>, StoreUnavailable>
    /** Those due at `now`, earliest first, at most `limit`. */
    readonly due: (
      scope: string,
      now: Timestamp,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<Document>, StoreUnavailable>
    readonly nextDueAt: (scope: string) => Effect.Effect<Timestamp | undefined, StoreUnavailable>
    readonly remove: (scope: string, id: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("payport/core/ports/Documents") {}
