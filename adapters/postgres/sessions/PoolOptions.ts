import type { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Session } from "./Session.ts"

/** Measurements of a pool. */
export interface PoolMeasures {
  /** Records that a session was lent after so many milliseconds. */
  readonly waited: (milliseconds: number) => void
  /** Records that a statement, or the wait for a session, failed. */
  readonly failed: (error: unknown) => void
}

/** The options of a pool, with times in milliseconds. */
export interface PoolOptions {
  /** Opens one more session. */
  readonly open: Effect.Effect<Session, SqlError>
  /** Fails while nothing must be written. Never fails by default. */
  readonly admission?: Effect.Effect<void, SqlError>
  readonly most: number
  /** The number of idle sessions that stay open. 0 by default. */
  readonly least?: number
  /** How many statements share a session, in order of arrival. 1 by default. */
  readonly shared?: number
  /** Milliseconds of idleness after which a session is closed. A minute by default. */
  readonly idle?: number
  /** How long a session may be silent while a statement is pending, before it is closed. */
  readonly silence: number
  /** Called when a server is found to be read-only. The sessions of all pools may be with it. */
  readonly onReadOnly: () => void
  readonly measures: PoolMeasures
}
