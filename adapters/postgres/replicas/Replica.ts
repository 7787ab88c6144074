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

/** Which database a server has, the same on all that follow one another. */
export const IDENTITY_SQL = `(SELECT system_identifier::text FROM pg_control_system()) || ' ' ||
  (SELECT oid FROM pg_database WHERE datname = current_database()) AS identity`

const LOOK_SQL = `SELECT pg_is_in_recovery() AS follows, ${HISTORY_SQL} AS history,
  pg_last_wal_replay_lsn()::text AS position, ${IDENTITY_SQL}`

/** A look that takes longer finds a replica away. */
const LOOK_WITHIN = "1 second"

/** What a session is asked that is new: whether its server is at least where it was. */
const POSITION_SQL = "SELECT pg_last_wal_replay_lsn()::text AS position"

const positionIn = (found: unknown): bigint | undefined =>
  typeof found === "string" ? parsePosition(found) : undefined

/** How to open the pools of a replica, with what is done with each session that they open. */
export type OpenReplica = (
  opened: (session: Session) => Effect.Effect<void>,
) => Effect.Effect<ReadPools, DatabaseUnusable, Scope.Scope>

/** What a replica may be asked, and whether what it was judged by still `stands` after that. */
export interface Usable<Reads> {
  readonly reads: Reads
  /** All that was stored before is shown, by `performance.now()`. */
  readonly shown: number
  readonly stands: () => boolean
  /** It has not answered in time: it is looked at before it is asked again. */
  readonly distrust: () => void
}

/** A server that follows the primary. Whatever becomes of it, it is looked at again. */
export class Replica<Reads> {
  /** Where it is, without a login. */
  readonly name: string
  readonly #longestLag: number
  readonly #open: OpenReplica
  readonly #readsOf: (pools: ReadPools) => Reads
  #asked: { readonly pools: ReadPools; readonly reads: Reads } | undefined
  #state: ReplicaState = "away"
  #shown: number | undefined
  /** How far it had replayed at the last look. */
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

  /** How old what it shows may be, in milliseconds; undefined where nobody knows. */
  get age(): number | undefined {
    return this.#shown === undefined ? undefined : performance.now() - this.#shown
  }

  /** What it may be asked now, if anything. */
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

  /** Looks at it, and tells in a line where it is something else than before. */
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
        // At the first look there may be no mark yet that it could have replayed, and another
        // database ends the start, which says so.
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

  /** A server that has crashed may show less than before it did. */
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
      // By itself: another database need not have any table of ours.
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
      // It may show a row that the next mark is the first to be made under: it is what it was.
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
