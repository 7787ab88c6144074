import { Context, type Effect } from "effect"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { Conflict, StoreUnavailable } from "./Store.ts"

/** A small piece of state that an adapter keeps for itself. */
export interface Document {
  readonly scope: string
  readonly id: string
  /** From 1; 0 in a put means that there must be none yet. */
  readonly version: number
  readonly body: unknown
  /** When its owner will look at it again. */
  readonly due_at: Timestamp | null
}

/**
 * Durable state outside the protocol, such as the heads of the audit log, the sandbox's clock and
 * its channels' own books. Bodies are JSON. A put names the version that it replaces.
 */
export class Documents extends Context.Service<
  Documents,
  {
    readonly get: (
      scope: string,
      id: string,
    ) => Effect.Effect<Document | undefined, StoreUnavailable>
    /** Stores the body as version + 1. Fails with `Conflict` if another version is stored. */
    readonly put: (document: Document) => Effect.Effect<void, Conflict | StoreUnavailable>
    /** Returns up to `limit` documents, by id, with this `prefix` of the id and after `after`. */
    readonly page: (
      scope: string,
      page: { readonly prefix: string; readonly after: string; readonly limit: number },
    ) => Effect.Effect<ReadonlyArray<Document>, StoreUnavailable>
    /** Returns at most `limit` documents due at `now`, earliest first. */
    readonly due: (
      scope: string,
      now: Timestamp,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<Document>, StoreUnavailable>
    readonly nextDueAt: (scope: string) => Effect.Effect<Timestamp | undefined, StoreUnavailable>
    /** Removes the documents with these ids, as far as they exist. */
    readonly remove: (
      scope: string,
      ids: ReadonlyArray<string>,
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("payport/core/ports/Documents") {}
