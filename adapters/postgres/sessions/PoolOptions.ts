import type { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Session } from "./Session.ts"

/** What is told of a pool's use. */
export interface PoolMeasures {
  /** A session was lent after so many milliseconds. */
  readonly waited: (milliseconds: number) => void
  /** What was asked on a session, or the wait for one, ended with an error. */
  readonly failed: (error: unknown) => void
}

/** What a pool is made of; times in milliseconds. */
export interface PoolOptions {
  /** Opens one more session. */
  readonly open: Effect.Effect<Session, SqlError>
  readonly most: number
  /** So many are kept open though nobody uses them. 0 by default. */
  readonly least?: number
  /** How many statements share a session, in the order in which they came. 1 by default. */
  readonly shared?: number
  /** Milliseconds without use after which a session is closed. A minute by default. */
  readonly idle?: number
  /** How long a session may say nothing while it is asked something: then it is given up. */
  readonly silence: number
  /** Called when a server turns out to take no writes: every pool's sessions may be with it. */
  readonly onReadOnly: () => void
  readonly measures: PoolMeasures
}
