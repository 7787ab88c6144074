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

/** The questions that a replica may answer: what is listed, searched, summed and reported. */
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

/** Answers to the questions that a replica may answer. */
export type ApartReads = Pick<Store["Service"], (typeof APART)[number]>

/** A replica has so long, in milliseconds, and half of what the caller waits; then the primary. */
const PATIENCE = 2_000

const outcomes = seriesOf(METRICS.replicaReads, "outcome")

type Ask = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

type Outcome = "replica" | "own_writes" | "no_replica" | "failed"

/** What a replica answers; undefined where the primary has to be asked, as the outcome says. */
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

/** That a caller had hardly any time left, as behind a queue, says nothing about the replica. */
const giveUp = ({ distrust }: Usable<ApartReads>, patience: number) => ({
  duration: Duration.millis(Math.max(0, Math.min(PATIENCE, patience))),
  orElse: () =>
    Effect.sync(() => {
      if (patience >= PATIENCE) distrust()
      return FAILED
    }),
})

/** For whom a commit writes: who asks, and accounts that it opens, whose first key is at work. */
const writersOf = (name: string | null, { writes }: Commit): ReadonlySet<string> => {
  const names = new Set(name === null ? [] : [name])
  for (const write of writes) {
    if (write.op === "insert" && write.kind === "account") names.add(write.record.id)
  }
  return names
}

/**
 * The store, whose lists, searches and reports come from replicas for those who accept an answer of
 * some moments ago. It is the primary that answers everything else: all that anybody decides by,
 * whoever has written lately, and everybody while no replica is fit. A replica that fails is none.
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
 * The documents, which are written for whoever asks: a channel of the sandbox keeps its books in
 * them around the callback that it was asked for, whose commits are nobody's.
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
    remove: (scope, id) => named(documents.remove(scope, id)),
  }
}
