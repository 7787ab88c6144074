import { Duration, Effect } from "effect"
import type { Commit } from "../../../core/commits/Commit.ts"
import type { Documents } from "../../../core/ports/Documents.ts"
import type { Store } from "../../../core/ports/Store.ts"
import { type Asker, CurrentAsker } from "../../../core/shared/CurrentAsker.ts"
import { CurrentDeadline } from "../../../core/shared/CurrentDeadline.ts"
import { METRICS } from "../../shared/metrics/Metrics.ts"
import { seriesOf } from "../../shared/metrics/series.ts"
import { inRealTime } from "../database.ts"
import type { Replica, Usable } from "./Replica.ts"
import type { Writers } from "./Writers.ts"

/** The reads that a replica may answer: lists, searches, sums and reports. */
const APART = [
  "list",
  "listIntents",
  "countQrCodes",
  "listSubscriptions",
  "listInvoices",
  "searchServices",
  "searchListings",
  "listPostings",
  "listDayTotals",
  "sumDays",
  "listBalances",
  "listDiscrepancies",
  "listRuns",
  "listAudit",
] as const satisfies ReadonlyArray<keyof Store["Service"]>

/** The part of the store that a replica may answer. */
export type ApartReads = Pick<Store["Service"], (typeof APART)[number]>

/**
 * How long a replica may take, in milliseconds, and at most half of the time that the caller has
 * left. Then the primary is read.
 */
const PATIENCE = 2_000

const outcomes = seriesOf(METRICS.replicaReads, "outcome")

type Ask = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

type Outcome = "replica" | "own_writes" | "no_replica" | "failed"

/** Returns a replica's answer with the outcome. Without an answer, the primary has to be read. */
const answerOf = Effect.fnUntraced(function* (
  { name, accepts }: Asker,
  { shown, stands }: Usable<ApartReads>,
  asking: Effect.Effect<unknown, unknown>,
  writers: Writers,
) {
  if (name !== null) {
    const own = writers.lastOwn(name)
    const hasWritten = (own !== undefined && own >= shown) || (yield* writers.elsewhere(name))
    if (hasWritten) return { outcome: "own_writes" as const }
  }
  const answer = yield* asking
  if (!stands()) return { outcome: "failed" as const }
  accepts?.(performance.now() - shown)
  return { outcome: "replica" as const, answer }
})

const FAILED = { outcome: "failed", answer: undefined } as const

/**
 * Stops waiting for a replica. Distrusts the replica only if it had the full time: a caller with
 * little time left, such as after a queue, says nothing about the replica.
 */
const giveUp = ({ distrust }: Usable<ApartReads>, patience: number) => ({
  duration: Duration.millis(Math.max(0, Math.min(PATIENCE, patience))),
  orElse: () =>
    Effect.sync(() => {
      if (patience >= PATIENCE) distrust()
      return FAILED
    }),
})

/**
 * Returns the accounts that a commit writes for: the caller, and the accounts that it creates,
 * since their first key works immediately.
 */
const writersOf = (name: string | null, { writes }: Commit): ReadonlySet<string> => {
  const names = new Set(name === null ? [] : [name])
  for (const write of writes) {
    if (write.op === "insert" && write.kind === "account") names.add(write.record.id)
  }
  return names
}

/**
 * Returns the store with lists, searches and reports read from replicas for callers that accept
 * slightly old answers. The primary answers all other reads, all reads of callers that have written
 * recently, and all reads while no replica is usable or after a replica has failed.
 */
export const readApart = (
  store: Store["Service"],
  replicas: ReadonlyArray<Replica<ApartReads>>,
  writers: Writers,
): Store["Service"] => {
  let turn = 0
  const choose = (): Usable<ApartReads> | undefined => {
    turn += 1
    for (let n = 0; n < replicas.length; n += 1) {
      const usable = replicas[(turn + n) % replicas.length]?.usable()
      if (usable !== undefined) return usable
    }
    return undefined
  }
  const told = (outcome: Outcome) => outcomes(outcome)(1)

  const apart = (name: (typeof APART)[number]): Ask => {
    const atPrimary = store[name] as Ask
    return (...args) =>
      Effect.flatMap(CurrentAsker, (asker) => {
        if (asker.accepts === undefined) return atPrimary(...args)
        const usable = choose()
        if (usable === undefined) {
          told("no_replica")
          return atPrimary(...args)
        }
        return Effect.flatMap(CurrentDeadline, (deadline) =>
          answerOf(asker, usable, (usable.reads[name] as Ask)(...args), writers).pipe(
            Effect.timeoutOrElse(giveUp(usable, deadline.left() / 2)),
            inRealTime,
            Effect.catch(() => Effect.succeed(FAILED)),
            Effect.catchDefect(() => Effect.succeed(FAILED)),
            Effect.flatMap(({ answer, outcome }) => {
              told(outcome)
              return outcome === "replica" ? Effect.succeed(answer) : atPrimary(...args)
            }),
          ),
        )
      })
  }

  return {
    ...store,
    ...(Object.fromEntries(APART.map((name) => [name, apart(name)])) as Partial<ApartReads>),
    commit: (commit) =>
      Effect.flatMap(CurrentAsker, ({ name }) => {
        let writing = store.commit(commit)
        for (const each of writersOf(name, commit)) writing = writers.write(each, writing)
        return writing
      }),
    eraseAccountData: (id) => writers.write(id, store.eraseAccountData(id)),
  }
}

/**
 * Returns the documents store with each write recorded for the caller. A sandbox channel stores its
 * books in documents before and after the callback that the caller requested, and the commits of
 * the callback have no caller.
 */
export const writeForAsker = (
  documents: Documents["Service"],
  writers: Writers,
): Documents["Service"] => {
  const named = <A, E>(writing: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.flatMap(CurrentAsker, ({ name }) =>
      name === null ? writing : writers.write(name, writing),
    )
  return {
    ...documents,
    put: (document) => named(documents.put(document)),
    remove: (scope, ids) => named(documents.remove(scope, ids)),
  }
}
