import { Effect } from "effect"
import type { ServerRole, Session } from "./Session.ts"
import type { SessionPool } from "./SessionPool.ts"

/**
 * Moves all sessions away from a former primary. It may be read-only, live on and answer reads for
 * ever, while another server has become the primary.
 */
export class PrimaryFollower {
  readonly #pools: Array<SessionPool> = []
  readonly #readers: Array<SessionPool> = []
  readonly #listening = new Set<Session>()
  #hasLost = false

  add(pool: SessionPool, role: ServerRole): void {
    this.#pools.push(pool)
    if (role === "primary") this.#readers.push(pool)
  }

  /** Called when a server is found to be read-only. The sessions of all pools may be with it. */
  readonly lost = (): void => {
    this.#hasLost = true
    for (const pool of this.#pools) pool.renew()
  }

  /** Opens a session. Once one finds a server for writes, readers and the listener move to it. */
  opening<E>(open: Effect.Effect<Session, E>, role: ServerRole): Effect.Effect<Session, E> {
    return role === "primary" ? open : Effect.tap(open, () => Effect.sync(() => this.#found()))
  }

  /** Opens the listener's session. */
  listening<E>(open: Effect.Effect<Session, E>): Effect.Effect<Session, E> {
    const note = (session: Session) => {
      this.#listening.add(session)
      session.socket.once("close", () => this.#listening.delete(session))
    }
    return Effect.tap(open, (session) => Effect.sync(() => note(session)))
  }

  #found(): void {
    if (!this.#hasLost) return
    this.#hasLost = false
    for (const pool of this.#readers) pool.renew()
    for (const { close } of this.#listening) close(true)
  }
}
