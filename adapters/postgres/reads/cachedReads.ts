import { Effect, type Scope } from "effect"
import { ALL_KINDS, type Kind, KINDS, type Records, type Store } from "../../../core/ports/Store.ts"
import { METRICS } from "../../shared/metrics/Metrics.ts"
import { counterOf, gaugeOf } from "../../shared/metrics/series.ts"

type Reads = Pick<Store["Service"], "findCredential" | "find">

/** Answers are given again for this long, in milliseconds, unless they are forgotten before. */
const LONGEST_AGE = 1_000

/**
 * While one caller asks anew, the others go on with the answer that has grown old, for this long at
 * most: all that are being served would ask the same at once.
 */
const ASKING = 100

/** Answers of each question that are kept, at most. */
const MOST_KEPT = 5_000

/** Cached reads with the ways to drop what has changed. */
export interface CachedReads extends Reads {
  /** Shows them as metrics while the scope is open. */
  readonly observe: Effect.Effect<void, never, Scope.Scope>
  /** Drops all that was read of the records with these ids, or everything. */
  readonly forget: (ids: ReadonlyArray<string> | "everything") => void
  /** Whether changes of other processes are heard; while they are not, nothing is kept. */
  readonly hear: (heard: boolean) => void
}

const freeze = <A>(value: A): A => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) freeze(part)
  }
  return value
}

interface Kept<A> {
  readonly answer: A | undefined
  /** Until when it is given, and until when at the very latest, while somebody asks anew. */
  until: number
  readonly last: number
}

class Answers<A> {
  readonly #idsOf: (answer: A | undefined, key: string) => ReadonlyArray<string>
  readonly #keepsAbsence: boolean
  readonly #kept = new Map<string, Kept<A>>()
  /** Counts what was forgotten: an answer that was under way meanwhile may be too old to keep. */
  #forgotten = 0
  #heard = false
  #hits = 0
  #misses = 0

  constructor(
    idsOf: (answer: A | undefined, key: string) => ReadonlyArray<string>,
    keepsAbsence = false,
  ) {
    this.#idsOf = idsOf
    this.#keepsAbsence = keepsAbsence
  }

  get<E>(
    key: string,
    read: (key: string) => Effect.Effect<A | undefined, E>,
  ): Effect.Effect<A | undefined, E> {
    return Effect.suspend(() => {
      const kept = this.#kept.get(key)
      const asked = performance.now()
      if (kept !== undefined) {
        if (asked < kept.until) {
          this.#hits += 1
          return Effect.succeed(kept.answer)
        }
        kept.until = Math.min(asked + ASKING, kept.last)
      }
      this.#misses += 1
      const forgotten = this.#forgotten
      return Effect.map(read(key), (answer) => {
        if (!this.#heard || forgotten !== this.#forgotten) return answer
        if (answer === undefined && !this.#keepsAbsence) return answer
        this.#kept.delete(key)
        const [oldest] = this.#kept.size < MOST_KEPT ? [] : this.#kept.keys()
        if (oldest !== undefined) this.#kept.delete(oldest)
        const until = asked + LONGEST_AGE
        this.#kept.set(key, { answer: freeze(answer), until, last: until + ASKING })
        return answer
      })
    })
  }

  forget(ids: ReadonlyArray<string> | "everything"): void {
    this.#forgotten += 1
    if (ids === "everything") return this.#kept.clear()
    const changed = new Set(ids)
    for (const [key, { answer }] of this.#kept) {
      if (this.#idsOf(answer, key).some((id) => changed.has(id))) this.#kept.delete(key)
    }
  }

  hear(heard: boolean): void {
    this.#heard = heard
    this.forget("everything")
  }

  /** Shows its hits, misses and size as metrics of the cache of that name. */
  observe(cache: string) {
    return Effect.all([
      counterOf(METRICS.cacheHits, { cache }, () => this.#hits),
      counterOf(METRICS.cacheMisses, { cache }, () => this.#misses),
      gaugeOf(METRICS.cacheEntries, { cache }, () => this.#kept.size),
    ])
  }
}

/**
 * Keeps for a moment what almost every request asks: who calls, and for which service. What this
 * process changes is dropped before the change is answered, and what others change as soon as they
 * are heard. That something does not exist is kept of agents and installs only: most of them have
 * no record, and the id under which one is asked for is the id that a new one is heard of by.
 */
export const cachedReads = (reads: Reads): CachedReads => {
  const credentials = new Answers<NonNullable<Success<Reads["findCredential"]>>>((found) =>
    found === undefined ? [] : [found.account.id, found.api_key.id],
  )
  const kept = new Map(
    ALL_KINDS.flatMap((kind) => {
      const { cached } = KINDS[kind]
      if (cached === undefined || cached === "within") return []
      return [[kind, new Answers<Records[Kind]>((_, id) => [id], cached === "absence")] as const]
    }),
  )
  const all = [credentials, ...kept.values()]
  const named = [["credential", credentials] as const, ...kept]
  return {
    observe: Effect.forEach(named, ([name, answers]) => answers.observe(name), { discard: true }),
    findCredential: (hash) => credentials.get(hash, reads.findCredential),
    find: <K extends Kind>(kind: K, id: string) => {
      const answers = kept.get(kind) as Answers<Records[K]> | undefined
      return answers === undefined
        ? reads.find(kind, id)
        : answers.get(id, (asked) => reads.find(kind, asked))
    },
    forget: (ids) => {
      if (ids.length > 0) for (const answers of all) answers.forget(ids)
    },
    hear: (heard) => {
      for (const answers of all) answers.hear(heard)
    },
  }
}

type Success<F> = F extends (...parameters: never) => Effect.Effect<infer A, infer _E> ? A : never
