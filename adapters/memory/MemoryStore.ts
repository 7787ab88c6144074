import { Effect, Layer } from "effect"
import type { Reply } from "../../core/idempotency/Reply.ts"
import {
  type Commit,
  Conflict,
  type ConflictReason,
  DUE_KINDS,
  type DueKind,
  Store,
  type StoreUnavailable,
} from "../../core/ports/Store.ts"
import {
  type BeforeCommit,
  changeOf,
  HookFailed,
  isHooked,
  runHook,
} from "../shared/BeforeCommit.ts"
import { RecordListeners, ServiceListeners } from "../shared/StoreListeners.ts"
import { apply, conflictOf, writesOf } from "./decide.ts"
import { IN_MEMORY } from "./Keeping.ts"
import { questions } from "./questions.ts"
import { erase } from "./erase.ts"
import { type Atomically, makeState, type State } from "./State.ts"

const purgeReplies = ({ replies }: State, now: number, limit: number): number => {
  let purged = 0
  for (const [id, reply] of replies) {
    if (purged === limit) break
    if (reply.expires_at <= now && replies.delete(id)) purged += 1
  }
  return purged
}

const oldestReply = ({ replies }: State): number | undefined => {
  let next: Reply | undefined
  for (const reply of replies.values()) {
    if (next === undefined || reply.expires_at < next.expires_at) next = reply
  }
  return next?.created_at
}

const purgeDayCounters = ({ counters }: State, prefix: string, day: string): number => {
  let purged = 0
  for (const counter of counters.keys()) {
    const of = /:(\d{4}-\d{2}-\d{2})$/.exec(counter)?.[1]
    const isOver = of !== undefined && of < day && counter.startsWith(prefix)
    if (isOver && counters.delete(counter)) purged += 1
  }
  return purged
}

const dueKinds = ({ tables }: State, now: number): ReadonlySet<DueKind> =>
  new Set(DUE_KINDS.filter((kind) => (tables[kind].nextDueAt() ?? Infinity) <= now))

const firstDueAt = ({ tables }: State): number | undefined => {
  let first: number | undefined
  for (const kind of DUE_KINDS) {
    const at = tables[kind].nextDueAt()
    if (at !== undefined && (first === undefined || at < first)) first = at
  }
  return first
}

/** Returns a page of all records of a table, by id. */
const scan = <R extends { readonly id: string }>(
  records: Iterable<R>,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): ReadonlyArray<R> =>
  [...records]
    .filter(({ id }) => after === undefined || id > after)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit)

/**
 * What a hook can do with its own records in memory: `change` is called at the moment when the
 * commit is stored, so that nobody sees one without the other. It is not called if the commit is
 * refused. It must not throw: in memory, earlier changes are already made. Where the records are in
 * entries of the host's, its changes are undone with their transaction.
 */
export interface MemoryTransaction {
  readonly onStored: (change: () => void) => void
}

/** Runs a hook and returns the host's changes for the commit. */
const hostChanges = (hook: BeforeCommit<MemoryTransaction>, commit: Commit) =>
  Effect.suspend(() => {
    const changes: Array<() => void> = []
    let isOver = false
    const onStored = (change: () => void) => {
      if (isOver) throw new HookFailed({ message: "The commit of this beforeCommit is over." })
      changes.push(change)
    }
    return runHook(hook, changeOf(hook, commit), { onStored }).pipe(
      Effect.ensuring(Effect.sync(() => void (isOver = true))),
      Effect.as(changes),
    )
  })

/** Throws `HookFailed` if a change throws, so that a transaction undoes the earlier ones. */
const applyHost = (changes: ReadonlyArray<() => void>): void => {
  try {
    for (const change of changes) change()
  } catch (cause) {
    throw new HookFailed({ message: "What beforeCommit wanted applied threw.", cause })
  }
}

/** Returns a store over its state, with a host's hook. */
export const makeStore = (
  state: State,
  atomically: Atomically,
  hook?: BeforeCommit<MemoryTransaction>,
): Store["Service"] => {
  const { tables } = state
  const records = new RecordListeners()
  const services = new ServiceListeners()
  const store = (commit: Commit, changes: ReadonlyArray<() => void> = []) =>
    Effect.flatMap(
      atomically((): ConflictReason | undefined => {
        const reason = conflictOf(state, commit)
        if (reason !== undefined) return reason
        applyHost(changes)
        apply(state, commit)
        return undefined
      }),
      (reason) => {
        if (reason !== undefined) return Effect.fail(new Conflict({ reason }))
        const changed = writesOf(commit).map(({ record }) => record.id)
        const changedServices = commit.writes.flatMap(({ kind, record }) =>
          kind === "service" ? [record.id] : [],
        )
        return Effect.andThen(records.notify(changed), services.notify(changedServices))
      },
    )
  const hosted = (host: BeforeCommit<MemoryTransaction>, commit: Commit) =>
    Effect.matchEffect(hostChanges(host, commit), {
      onSuccess: (changes) => store(commit, changes),
      onFailure: (refusal): Effect.Effect<never, Conflict | StoreUnavailable> =>
        // A conflict comes before the host's refusal: the host may know the answer already.
        Effect.flatMap(
          atomically(() => conflictOf(state, commit)),
          (reason) =>
            reason === undefined ? Effect.die(refusal) : Effect.fail(new Conflict({ reason })),
        ),
    })
  return {
    commit: (commit) =>
      hook !== undefined && isHooked(hook, commit) ? hosted(hook, commit) : store(commit),
    find: (kind, id) => atomically(() => tables[kind].get(id)),
    findMany: (kind, ids) => atomically(() => ids.flatMap((id) => tables[kind].get(id) ?? [])),
    findBy: (kind, name) => atomically(() => tables[kind].named(name)),
    list: (kind, query) => atomically(() => tables[kind].list(query)),
    scan: (kind, page) => atomically(() => scan(tables[kind].values(), page)),
    ...questions(state, atomically),
    claimDue: (kind, now, options) => atomically(() => tables[kind].claim(now, options)),
    dueKinds: (now) => atomically(() => dueKinds(state, now)),
    nextDueAt: () => atomically(() => firstDueAt(state)),
    purgeReplies: (now, limit) => atomically(() => purgeReplies(state, now, limit)),
    oldestReply: () => atomically(() => oldestReply(state)),
    eraseAccountData: (accountId) =>
      Effect.andThen(
        atomically(() => erase(state, accountId)),
        services.notify("everything"),
      ),
    purgeDayCounters: (prefix, day) => atomically(() => purgeDayCounters(state, prefix, day)),
    watch: (id, listener) => records.add(id, listener),
    watchServices: (listener) => services.add(listener),
    ping: () => atomically(() => undefined),
  }
}

const make = (hook?: BeforeCommit<MemoryTransaction>): Store["Service"] =>
  makeStore(makeState(IN_MEMORY), Effect.sync, hook)

/** A `Store` in memory, synchronous and not persistent. Each build is a separate store. */
export const layer = Layer.sync(Store, () => make())

/** A `Store` in memory with a host's hook. */
export const hooked = (hook: BeforeCommit<MemoryTransaction>): Layer.Layer<Store> =>
  Layer.sync(Store, () => make(hook))
