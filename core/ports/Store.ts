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

/** Who wants to hear of changed manifests. */
export type ServiceListener = (ids: ReadonlyArray<string> | "everything") => void

/**
 * Where everything is kept. There is one way to write, `commit`. Records are read by their id, by a
 * unique name or as a list, as their kinds declare; what these do not answer is a question with a
 * name of its own. A record that does not exist reads as undefined.
 */
export class Store extends Context.Service<
  Store,
  Questions & {
    /** The record of that kind and id. An id that is no id of the kind finds nothing. */
    readonly find: <K extends Kind>(kind: K, id: string) => Read<Records[K] | undefined>
    /** Those that there are of the records with these ids, in any order. */
    readonly findMany: <K extends Kind>(
      kind: K,
      ids: ReadonlyArray<string>,
    ) => Read<ReadonlyArray<Records[K]>>
    /** The one record of that kind that has the unique name. */
    readonly findBy: <K extends NamedKind>(
      kind: K,
      name: NamedBy<K>,
    ) => Read<Records[K] | undefined>
    /** The records of a list. Ids that are no ids of their kind are in no list. */
    readonly list: <K extends ListedKind>(
      kind: K,
      query: ListQuery<K>,
    ) => Read<ReadonlyArray<Records[K]>>

    /** Up to `limit` records of the kind in the order of their ids, from behind `after` on. */
    readonly scan: <K extends Kind>(
      kind: K,
      page: { readonly after: string | undefined; readonly limit: number },
    ) => Read<ReadonlyArray<Records[K]>>

    /**
     * Stores the whole outcome of a decision, or refuses it as a whole. Durable when it succeeds.
     * Commits that arrive while others are on their way leave together in the next group.
     */
    readonly commit: (commit: Commit) => Effect.Effect<void, Conflict | StoreUnavailable>

    /**
     * Hands out up to `limit` records that are due at `now`, earliest first, to this caller alone
     * until `lease` milliseconds are over. Claiming raises the version, so that a commit by an
     * earlier holder of the record is stale. Records are given as claimed: a delivery is then
     * `delivering`. Where shares keep some back, all receivers come to their turn within a few
     * claims, however many of one are due.
     */
    readonly claimDue: <K extends DueKind>(
      kind: K,
      now: Timestamp,
      options: ClaimOptions,
    ) => Read<ReadonlyArray<Records[K]>>
    /** The kinds of which a record is due at `now`, leased or not: the only ones worth a claim. */
    readonly dueKinds: (now: Timestamp) => Read<ReadonlySet<DueKind>>
    /** When the next record of any kind falls due, leased or not; undefined when none will. */
    readonly nextDueAt: () => Read<Timestamp | undefined>

    /** Forgets up to `limit` stored replies whose time is over. Returns how many. */
    readonly purgeReplies: (now: Timestamp, limit: number) => Read<number>
    /** When the reply was made whose time is over first; undefined where none is stored. */
    readonly oldestReply: () => Read<Timestamp | undefined>
    /**
     * Forgets the counters of days before `day` (such as 2026-01-31): those whose names begin with
     * the prefix and end in the day. What is given back to one later counts from nothing. Returns
     * how many.
     */
    readonly purgeDayCounters: (prefix: string, day: string) => Read<number>
    /**
     * Removes everything that an account owns but the account itself, its keys and what it is
     * billed: its statements, its cycle and the counters of its usage, to which the QR codes of the
     * payments that go are added. Those payments give back what they hold of limits and caps. Both
     * happen once a payment, whoever erases at the same time. Rows of the ledger stay for ever: its
     * books are closed, and new and empty ones are read from then on.
     */
    readonly eraseAccountData: (accountId: string) => Read<void>
    /**
     * Calls `listener` after commits of this process that touched the record; returns the way to
     * stop. Commits of other processes are not heard: a watcher looks again from time to time.
     */
    readonly watch: (id: string, listener: () => void) => () => void
    /**
     * Calls `listener` with the ids of manifests that may have changed, whichever process changed
     * them, or with "everything" when some changes may have been missed; returns the way to stop.
     */
    readonly watchServices: (listener: ServiceListener) => () => void
    /** Succeeds when the store takes writes: it makes one. Fails with what keeps it from that. */
    readonly ping: () => Read<void>
  }
>()("payport/core/ports/Store") {}
