import { Effect } from "effect"
import type { Check } from "../Contract.ts"
import {
  type Commit,
  type ConflictReason,
  type Kind,
  type Records,
  Store,
  type StoreUnavailable,
  type Write,
} from "../../../../core/ports/Store.ts"

/** Registers a check that has a new and empty store. */
export type StoreCheck = Check<Store>

export const insert = <K extends Kind>(kind: K, record: Records[K]): Write =>
  ({ op: "insert", kind, record }) as Write

export const replace = <K extends Kind>(kind: K, record: Records[K]): Write =>
  ({ op: "replace", kind, record }) as Write

export const remove = <K extends Kind>(kind: K, record: Records[K]): Write =>
  ({ op: "remove", kind, record }) as Write

/** Commits and returns the conflict; undefined if the commit is stored. */
export const tryCommit = (
  commit: Commit,
): Effect.Effect<ConflictReason | undefined, StoreUnavailable, Store> =>
  Effect.flatMap(Store, (store) =>
    store.commit(commit).pipe(
      Effect.as(undefined),
      Effect.catchTag("Conflict", ({ reason }) => Effect.succeed(reason)),
    ),
  )

/** Stores records with a commit that must succeed. */
export const store = (...writes: ReadonlyArray<Write>) => commit({ writes })

export const commit = (given: Commit) => Effect.flatMap(Store, (port) => port.commit(given))

/** Whether a record of any kind is stored in that version. */
export const hasVersion = (kind: Kind, id: string, version: number) =>
  Effect.map(
    tryCommit({ writes: [], guards: [{ kind, id, version }] }),
    (reason) => reason === undefined,
  )

/** The version of a stored record of any kind, at most `highest`; 0 when there is none. */
export const versionOf = Effect.fnUntraced(function* (kind: Kind, id: string, highest = 5) {
  for (let version = 1; version <= highest; version += 1) {
    if (yield* hasVersion(kind, id, version)) return version
  }
  return 0
})

/** Returns who holds a key; undefined if nobody does. */
export const keyHolder = Effect.fnUntraced(function* (key: string) {
  const probe = { key, owner: "probe" }
  const reason = yield* tryCommit({ writes: [], keys: [{ op: "claim", ...probe }] })
  if (reason?.type === "key_taken") return reason.owner
  yield* tryCommit({ writes: [], keys: [{ op: "release", ...probe }] })
  return undefined
})

/** Reads the value of a counter, by a reservation that is never granted. */
export const counterValue = Effect.fnUntraced(function* (counter: string) {
  const reason = yield* tryCommit({ writes: [], reservations: [{ counter, add: 1, limit: -1 }] })
  return reason?.type === "limit_reached" ? reason.value : Number.NaN
})

/** Runs all at once and returns the results in order. */
export const together = <A, E, R>(effects: Iterable<Effect.Effect<A, E, R>>) =>
  Effect.all([...effects], { concurrency: "unbounded" })

/** The whole numbers from 1 to `count`. */
export const upTo = (count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => index + 1)
