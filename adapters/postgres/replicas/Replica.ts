import { Effect, type Scope } from "effect"
import type { Session } from "../sessions/Session.ts"
import type { ReplicaState } from "../../shared/ReplicaStates.ts"
import { ask, inRealTime, type ReadPools } from "../database.ts"
import type { DatabaseUnusable } from "../DatabaseUnusable.ts"
import { HISTORY_SQL } from "./primaryMark.ts"
import { type Marks, parsePosition } from "./Marks.ts"

const SAID: { readonly [state in Exclude<ReplicaState, "used">]: string } = {
  lagging: "its lag is larger than allowed",
  away: "it does not answer, or refuses connections",
  promoted: "it is not a replica of another server",
  other_database: "it has another database than the primary",
}

/** Reads the identity of a server's database. A primary and its replicas have the same. */
export const IDENTITY_SQL = `(SELECT system_identifier::text FROM pg_control_system()) || ' ' ||
  (SELECT oid FROM pg_database WHERE datname = current_database()) AS identity`

const LOOK_SQL = `SELECT pg_is_in_recovery() AS follows, ${HISTORY_SQL} AS history,
  pg_last_wal_replay_lsn()::text AS position, ${IDENTITY_SQL}`

/** Time limit of a look. A replica that takes longer counts as away. */
const LOOK_WITHIN = "1 second"

/** Asks a new session for its server's position, which may have gone back after a crash. */
const POSITION_SQL = "SELECT pg_last_wal_replay_lsn()::text AS position"

const positionIn = (found: unknown): bigint | undefined =>
  typeof found === "string" ? parsePosition(found) : undefined

/** Opens the pools of a replica and calls `opened` with each new session. */
export type OpenReplica = (
  opened: (session: Session) => Effect.Effect<void>,
) => Effect.Effect<ReadPools, DatabaseUnusable, Scope.Scope>

/** A replica that may be read now. */
export interface Usable<Reads> {
  readonly reads: Reads
  /** The replica shows everything that was stored before this time, by `performance.now()`. */
  readonly shown: number
  /** Whether `shown` is still valid, asked after an answer. */
  readonly stands: () => boolean
  /** Stops reads from the replica until the next look, after it has not answered in time. */
  readonly distrust: () => void
}

/** A server that follows the primary. It is looked at again and again, whatever its state. */
export class Replica<Reads> {
  /** Its host, port and database, without a login. */
  readonly name: string
  readonly #longestLag: number
  readonly #open: OpenReplica
  readonly #readsOf: (pools: ReadPools) => Reads
  #asked: { readonly pools: ReadPools; readonly reads: Reads } | undefined
  #state: ReplicaState = "away"
  #shown: number | undefined
  /** The position that it had replayed at the last look. */
  #position = 0n
  #distrusted = 0
  #isKnown = false
  #looks = 0
  #told: ReplicaState | undefined

  constructor(
    name: string,
    longestLag: number,
    open: OpenReplica,
    readsOf: (pools: ReadPools) => Reads,
  ) {
    this.name = name
    this.#longestLag = longestLag
    this.#open = open
    this.#readsOf = readsOf
  }

  get state(): ReplicaState {
    return this.#state === "used" && this.usable() === undefined ? "lagging" : this.#state
  }

  /** The maximum age of its data in milliseconds; undefined if unknown. */
  get age(): number | undefined {
    return this.#shown === undefined ? undefined : performance.now() - this.#shown
  }

  /** Returns the reads of the replica; undefined if it must not be read now. */
  usable(): Usable<Reads> | undefined {
    const shown = this.#shown
    if (this.#state !== "used" || shown === undefined || this.#asked === undefined) return undefined
    if (performance.now() - shown > this.#longestLag) return undefined
    const distrusted = this.#distrusted
    return {
      reads: this.#asked.reads,
      shown,
      stands: () => distrusted === this.#distrusted,
      distrust: this.#distrust,
    }
  }

  /** Looks at the replica and returns its state. Logs the state when it has changed. */
  look(identity: string, marks: Marks): Effect.Effect<ReplicaState, never, Scope.Scope> {
    return this.#find(identity, marks).pipe(
      Effect.timeoutOrElse({
        duration: LOOK_WITHIN,
        orElse: () => Effect.succeed("away" as const),
      }),
      Effect.catch((error) =>
        Effect.as(Effect.logDebug(`The replica ${this.name}`, error), "away" as const),
      ),
      Effect.tap((state) => {
        if (state !== "used") this.#distrust()
        this.#state = state
        this.#looks += 1
        // At the first look, the replica may not have replayed a mark yet. Another database ends
        // the start with its own message.
        const isSettling = this.#looks === 1 && (state === "lagging" || state === "other_database")
        return isSettling || state === this.#told ? Effect.void : this.#tell(state)
      }),
      inRealTime,
    )
  }

  readonly #distrust = (): void => {
    this.#distrusted += 1
    this.#shown = undefined
  }

  /** Checks a new session's position: a server that has crashed may show less than before. */
  readonly #judge = ({ connection }: Session): Effect.Effect<void> =>
    connection.query(POSITION_SQL, [], false).pipe(
      Effect.map(({ rows }) => positionIn(rows[0]?.["position"])),
      Effect.orElseSucceed(() => undefined),
      Effect.map((position) => {
        if (position === undefined || position < this.#position) this.#distrust()
      }),
    )

  readonly #find = Effect.fnUntraced(
    { self: this },
    function* (this: Replica<Reads>, identity: string, marks: Marks) {
      if (this.#asked === undefined) {
        const pools = yield* this.#open(this.#judge)
        this.#asked = { pools, reads: this.#readsOf(pools) }
      }
      const { reads } = this.#asked.pools
      // A statement of its own, since another database may have none of our tables.
      const [who] = this.#isKnown ? [] : yield* ask(reads, `SELECT ${IDENTITY_SQL}`, [])
      if (who !== undefined && who["identity"] !== identity) return "other_database"
      this.#isKnown = true
      const distrusted = this.#distrusted
      const [row = {}] = yield* ask(reads, LOOK_SQL, [])
      const { follows, history } = row
      const position = positionIn(row["position"])
      if (row["identity"] !== identity) return "other_database"
      if (follows !== true || position === undefined) return "promoted"
      if (distrusted !== this.#distrusted) return "lagging"
      if (position < this.#position) this.#shown = undefined
      this.#position = position
      const shown = typeof history === "string" ? marks.shownBy(history, position) : undefined
      // It may already show a renewed row that no mark has yet. Then the former time stays valid.
      if (shown !== undefined) this.#shown = shown
      const { age } = this
      return age !== undefined && age <= this.#longestLag ? "used" : "lagging"
    },
  )

  #tell(state: ReplicaState): Effect.Effect<void> {
    this.#told = state
    return state === "used"
      ? Effect.logInfo(`The replica ${this.name} is used for lists, searches and reports.`)
      : Effect.logWarning(`The replica ${this.name} is not used: ${SAID[state]}.`)
  }
}
