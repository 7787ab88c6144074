import { Effect } from "effect"
import {
  ALL_KINDS,
  type Commit,
  type ConflictReason,
  type Store,
} from "../../../core/ports/Store.ts"
import { CallCounter } from "./CallCounter.ts"
import type { Tried } from "./Contract.ts"

type StoreService = Store["Service"]

const METHODS: { readonly [M in keyof StoreService]: 0 } = {
  find: 0,
  findMany: 0,
  findBy: 0,
  list: 0,
  scan: 0,
  commit: 0,
  claimDue: 0,
  dueKinds: 0,
  nextDueAt: 0,
  purgeReplies: 0,
  oldestReply: 0,
  purgeDayCounters: 0,
  eraseAccountData: 0,
  watch: 0,
  watchServices: 0,
  ping: 0,
  findCredential: 0,
  findReply: 0,
  readCounters: 0,
  listIntents: 0,
  listUnpaid: 0,
  listLeaving: 0,
  countQrCodes: 0,
  listSubscriptions: 0,
  listInvoices: 0,
  sumUsage: 0,
  searchServices: 0,
  searchListings: 0,
  isOthersAccessItem: 0,
  listPostings: 0,
  listDayTotals: 0,
  sumDays: 0,
  listBalances: 0,
  listClearing: 0,
  listDiscrepancies: 0,
  listRuns: 0,
  findAuditEntry: 0,
  listAudit: 0,
  readAudit: 0,
  auditHead: 0,
}

/** The parts of a commit. `contended` is left out: only those who look for its outcome use it. */
const PARTS: { readonly [F in keyof Required<Omit<Commit, "contended">>]: 0 } = {
  writes: 0,
  events: 0,
  guards: 0,
  keys: 0,
  reservations: 0,
  postings: 0,
  fee_days: 0,
  reply: 0,
  audit: 0,
}

const CONFLICTS: { readonly [T in ConflictReason["type"]]: 0 } = {
  stale_version: 0,
  key_taken: 0,
  limit_reached: 0,
  reply_taken: 0,
}

/** The coverage of a store. */
export interface StoreCovered {
  readonly [part: string]: Tried
  /** Calls, by the port's methods. */
  readonly methods: Tried
  /** Kinds of record that commits wrote. */
  readonly kinds: Tried
  /** Parts that commits had. */
  readonly commits: Tried
  /** Reasons for which commits were refused. */
  readonly conflicts: Tried
}

const none = (names: ReadonlyArray<string>): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, 0]))

const count = (tried: Record<string, number>, name: string): void => {
  tried[name] = (tried[name] ?? 0) + 1
}

/** Counts the calls, kinds, parts and conflicts that a store is tried with. */
export class StoreCoverage {
  readonly #methods = new CallCounter(Object.keys(METHODS))
  readonly #kinds = none(ALL_KINDS)
  readonly #commits = none(Object.keys(PARTS))
  readonly #conflicts = none(Object.keys(CONFLICTS))

  readonly covered = (): StoreCovered => ({
    methods: this.#methods.counted(),
    kinds: { ...this.#kinds },
    commits: { ...this.#commits },
    conflicts: { ...this.#conflicts },
  })

  /** Returns the same store with counted calls. A missing method is missing here, too. */
  readonly watch = (store: StoreService): StoreService => {
    const counted = this.#methods.watch(store)
    return new Proxy(counted, {
      get: (target, name): unknown =>
        name === "commit" && typeof store.commit === "function"
          ? (commit: Commit) => this.#counted(commit, target.commit(commit))
          : Reflect.get(target, name),
    })
  }

  #counted<E extends { readonly _tag: string }>(commit: Commit, stored: Effect.Effect<void, E>) {
    for (const part of Object.keys(commit)) count(this.#commits, part)
    for (const { kind } of commit.writes) count(this.#kinds, kind)
    for (const _ of commit.events ?? []) count(this.#kinds, "event")
    for (const _ of commit.fee_days ?? []) count(this.#kinds, "fee_day")
    return Effect.tapError(stored, (error) =>
      Effect.sync(() => {
        if ("reason" in error) count(this.#conflicts, (error.reason as ConflictReason).type)
      }),
    )
  }
}
