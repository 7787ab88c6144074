import { Effect, type Scope } from "effect"
import { ALL_KINDS, type Kind, KINDS, type Records, type Store } from "../../../core/ports/Store.ts"
import { METRICS } from "../../shared/metrics/Metrics.ts"
import { counterOf, gaugeOf } from "../../shared/metrics/series.ts"

type Reads = Pick<Store["Service"], "findCredential" | "find">

/** How long an answer stays in the cache, in milliseconds, unless it is dropped before. */
const LONGEST_AGE = 1_000

/**
 * How long other callers get an outdated answer, in milliseconds, while one caller reads again.
 * Otherwise all requests in progress would read the same at once.
 */
const ASKING = 100

/** The most cached answers of each kind of read. */
const MOST_KEPT = 5_000

/** Cached reads, with functions that drop changed records. */
export interface CachedReads extends Reads {
  /** Exports metrics while the scope is open. */
  readonly observe: Effect.Effect<void, never, Scope.Scope>
  /** Drops all cached answers about the records with these ids, or everything. */
  readonly forget: (ids: ReadonlyArray<string> | "everything") => void
  /** Sets whether changes of other processes are heard. Nothing is cached while they are not. */
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
  /** The time until which the answer is used, and the latest time while a caller reads again. */
  until: number
  readonly last: number
}

class Answers<A> {
  readonly #idsOf: (answer: A | undefined, key: string) => ReadonlyArray<string>
  readonly #keepsAbsence: boolean
  readonly #kept = new Map<string, Kept<A>>()
  /** Counts drops. An answer that was being read during a drop may be too old to cache. */
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

  /** Exports hits, misses and size as metrics of the cache with that name. */
  observe(cache: string) {
    return Effect.all([
      counterOf(METRICS.cacheHits, { cache }, () => this.#hits),
      counterOf(METRICS.cacheMisses, { cache }, () => this.#misses),
      gaugeOf(METRICS.cacheEntries, { cache }, () => this.#kept.size),
    ])
  }
}

/**
 * Caches for a moment what almost every request reads: the caller and the service. A change by this
 * process is dropped from the cache before the change is answered, and a change by others when it
 * is heard. The absence of a record is cached for agents and installs only: most of them have no
 * record, and a new one is announced by the id under which it is read.
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
