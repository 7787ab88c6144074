import { Context, type Effect } from "effect"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { ClaimOptions } from "./ClaimOptions.ts"
import type { Commit, Conflict } from "../commits/Commit.ts"
import type { DueKind, Kind, Records } from "../commits/Records.ts"
import type { ListedKind, ListQuery, NamedBy, NamedKind } from "./Lists.ts"
import type { Questions } from "./Questions.ts"
import type { Read } from "./Read.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

export type { ClaimOptions, Shares } from "./ClaimOptions.ts"
export * from "../commits/Commit.ts"
export * from "./StoreUnavailable.ts"
export * from "./Lists.ts"
export type { Credential } from "./Questions.ts"
export type { Read } from "./Read.ts"
export * from "./kinds.ts"
export type { DueKind, Kind, Records } from "../commits/Records.ts"

/** A listener for changed manifests. */
export type ServiceListener = (ids: ReadonlyArray<string> | "everything") => void

/**
 * Stores all records. `commit` is the only way to write. Records are read by their id, by a unique
 * name or as a list, as their kinds declare. All other reads are named questions. A record that
 * does not exist reads as undefined.
 */
export class Store extends Context.Service<
  Store,
  Questions & {
    /** Returns the record of that kind and id. An id of another form finds nothing. */
    readonly find: <K extends Kind>(kind: K, id: string) => Read<Records[K] | undefined>
    /** Returns the existing records with these ids, in any order. */
    readonly findMany: <K extends Kind>(
      kind: K,
      ids: ReadonlyArray<string>,
    ) => Read<ReadonlyArray<Records[K]>>
    /** Returns the one record of that kind with the unique name. */
    readonly findBy: <K extends NamedKind>(
      kind: K,
      name: NamedBy<K>,
    ) => Read<Records[K] | undefined>
    /** Returns the records of a list. Records with ids of another form are in no list. */
    readonly list: <K extends ListedKind>(
      kind: K,
      query: ListQuery<K>,
    ) => Read<ReadonlyArray<Records[K]>>

    /**
     * Returns up to `limit` records of the kind after the id `after`, in the order of their ids.
     */
    readonly scan: <K extends Kind>(
      kind: K,
      page: { readonly after: string | undefined; readonly limit: number },
    ) => Read<ReadonlyArray<Records[K]>>

    /**
     * Stores the whole outcome of a decision, or refuses all of it. Durable when it succeeds.
     * Commits that arrive while others are under way are stored together in the next group.
     */
    readonly commit: (commit: Commit) => Effect.Effect<void, Conflict | StoreUnavailable>

    /**
     * Leases up to `limit` records that are due at `now` to this caller alone, earliest first, for
     * `lease` milliseconds. A claim raises the version, so that a commit by an earlier holder is
     * stale. Records are returned as claimed: a delivery is then `delivering`. If shares hold some
     * back, all receivers get their turn within a few claims, however many records of one are due.
     */
    readonly claimDue: <K extends DueKind>(
      kind: K,
      now: Timestamp,
      options: ClaimOptions,
    ) => Read<ReadonlyArray<Records[K]>>
    /** Returns the kinds with a record due at `now`, leased or not. Others need no claim. */
    readonly dueKinds: (now: Timestamp) => Read<ReadonlySet<DueKind>>
    /**
     * Returns when the next record of any kind falls due, leased or not; undefined if none will.
     */
    readonly nextDueAt: () => Read<Timestamp | undefined>

    /** Removes up to `limit` expired replies. Returns how many. */
    readonly purgeReplies: (now: Timestamp, limit: number) => Read<number>
    /** Returns when the reply was made that expires first; undefined if none is stored. */
    readonly oldestReply: () => Read<Timestamp | undefined>
    /**
     * Removes the counters of days before `day` (such as 2026-01-31): those whose names begin with
     * the prefix and end in the day. A later give-back to one starts from zero. Returns how many.
     */
    readonly purgeDayCounters: (prefix: string, day: string) => Read<number>
    /**
     * Removes everything that an account owns except the account itself, its keys and its billing:
     * its statements, its cycle and its usage counters, to which the QR codes of its payments are
     * added. Those payments give back what they hold of limits and caps. Both happen once for each
     * payment, even if several processes erase at once. A payment in which another account takes
     * part stays for that one, with its refunds, refund requests and channel requests: nobody takes
     * this account's place in them (`Sides.ts`). The use of the account's tabs goes with them, and
     * so do the counters of their periods. Rows of the ledger are never removed: the account's
     * books are closed, and later reads use new, empty ones.
     */
    readonly eraseAccountData: (accountId: string) => Read<void>
    /**
     * Calls `listener` after commits of this process that touched the record. Returns a function
     * that stops this. Commits of other processes are not reported, so a watcher has to read again
     * from time to time.
     */
    readonly watch: (id: string, listener: () => void) => () => void
    /**
     * Calls `listener` with the ids of manifests that any process may have changed, or with
     * "everything" if changes may have been missed. Returns a function that stops this.
     */
    readonly watchServices: (listener: ServiceListener) => () => void
    /** Makes a test write. Fails if the store takes no writes, with the reason. */
    readonly ping: () => Read<void>
  }
>()("payport/core/ports/Store") {}
