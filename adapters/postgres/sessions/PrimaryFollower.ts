import { Effect } from "effect"
import type { ServerRole, Session } from "./Session.ts"
import type { SessionPool } from "./SessionPool.ts"

/**
 * Leaves a server that was the primary with all sessions. One that takes no writes any more may
 * live on and answer reads for good, while another has taken over.
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

  /** A server turned out to take no writes: every pool's sessions may be with it. */
  readonly lost = (): void => {
    this.#hasLost = true
    for (const pool of this.#pools) pool.renew()
  }

  /** Whoever reads and listens follows as soon as a session has found a server for writes. */
  opening<E>(open: Effect.Effect<Session, E>, role: ServerRole): Effect.Effect<Session, E> {
    return role === "primary" ? open : Effect.tap(open, () => Effect.sync(() => this.#found()))
  }

  /** The same for the session that listens. */
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
