import { Effect, Exit, Option, Result, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { CurrentDeadline } from "../../../core/shared/CurrentDeadline.ts"
import { meansReadOnly, meansShutdown } from "../failures.ts"
import { pauseAfter } from "./Backoff.ts"
import type { Connection } from "./connectWith.ts"
import type { PoolOptions } from "./PoolOptions.ts"
import { noSession, type Session } from "./Session.ts"
import { Silence } from "./Silence.ts"

/** The longest wait for a session, in milliseconds. */
const LONGEST_WAIT = 3_000

/** The most statements that wait at once. */
export const MOST_WAITING = 512

/** Milliseconds of idleness after which a session is closed, and the interval between checks. */
const IDLE = 60_000
const LOOK_EVERY = 500

/** An open session and its users. */
interface Open {
  readonly session: Session
  readonly silence: Silence
  users: number
  idleSince: number
  /** A leaving session is not lent again, and closes when its last user is done. */
  leaving: boolean
}

/** A use of a session, or the wait for one. */
interface Lease {
  open: Open | undefined
  readonly asked: number
  answer: ((session: Result.Result<void, SqlError>) => void) | undefined
}

/**
 * A pool of database sessions. Its four rules also hold for a server that stops answering silently:
 *
 * - a bounded number of callers wait, each for a bounded time and not beyond its deadline, and a
 *   caller that gives up leaves nothing behind;
 * - sessions are opened one by one, with growing pauses after failures; while none can be opened,
 *   callers are refused at once;
 * - a session that is silent for too long while a statement is pending is closed, which fails all
 *   its statements;
 * - a session whose server is read-only or shuts down is not used again.
 */
export class SessionPool {
  readonly #options: PoolOptions
  readonly #least: number
  readonly #shared: number
  readonly #idle: number
  readonly #open = new Set<Open>()
  /** Waiting leases, first come, first served. */
  readonly #line = new Set<Lease>()
  readonly #looking: NodeJS.Timeout
  #opening = false
  /** Whether the session that is being opened is outdated already. */
  #isOutdated = false
  #failures = 0
  #failure: SqlError | undefined
  #retryAt = 0
  #lookedAt = performance.now()
  #closed = false

  private constructor(options: PoolOptions) {
    this.#options = options
    this.#least = options.least ?? 0
    this.#shared = options.shared ?? 1
    this.#idle = options.idle ?? IDLE
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY)
    this.#looking.unref()
    this.#grow()
  }

  /** Makes a pool that closes with its scope, even with pending statements. */
  static readonly make = (options: PoolOptions): Effect.Effect<SessionPool, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.sync(() => new SessionPool(options)),
      (pool) => Effect.sync(() => pool.close()),
    )

  /** The number of callers that wait for a session. */
  get waiting(): number {
    return this.#line.size
  }

  /**
   * Lends a session to an effect. Fails with an error of the operation `connect` if there is no
   * session in time. Then the effect has not begun.
   */
  readonly use = <A, E>(
    f: (connection: Connection) => Effect.Effect<A, E>,
  ): Effect.Effect<A, E | SqlError> =>
    Effect.suspend(() => {
      const lease: Lease = { open: undefined, asked: performance.now(), answer: undefined }
      return Effect.onExit(
        Effect.suspend((): Effect.Effect<A, E | SqlError> => {
          const open = this.#line.size === 0 ? this.#free() : undefined
          if (open === undefined) return Effect.flatMap(this.#wait(lease), f)
          this.#lend(open, lease)
          return f(open.session.connection)
        }),
        (exit) => Effect.sync(() => this.#release(lease, exit)),
      )
    })

  /** Lends a session, as `use` does, to an effect that writes. */
  readonly write: SessionPool["use"] = (f) =>
    Effect.andThen(this.#options.admission ?? Effect.void, this.use(f))

  /** Lends none of the current sessions any more, and closes them as they become idle. */
  renew(): void {
    for (const open of this.#open) this.#leave(open)
    this.#isOutdated = this.#opening
    this.#grow()
  }

  /** Refuses new callers, and fails pending statements. */
  readonly close = (): void => {
    if (this.#closed) return
    this.#closed = true
    clearInterval(this.#looking)
    this.#refuseAll(noSession("CLOSED", "The store is closed."))
    for (const open of this.#open) this.#end(open, open.users > 0)
  }

  #free(): Open | undefined {
    for (const open of this.#open) {
      if (open.users < this.#shared && !open.leaving) return open
    }
    return undefined
  }

  #lend(open: Open, lease: Lease): void {
    const now = performance.now()
    this.#options.measures.waited(now - lease.asked)
    if (open.users === 0) open.silence.begin(now)
    open.users++
    lease.open = open
  }

  readonly #wait = (lease: Lease): Effect.Effect<Connection, SqlError> =>
    Effect.gen({ self: this }, function* () {
      const deadline = yield* CurrentDeadline
      const within = Math.min(LONGEST_WAIT, deadline.left())
      yield* Effect.callback<void, SqlError>((resume) => {
        const refusal = this.#refusal(within)
        if (refusal !== undefined) return resume(Effect.fail(refusal))
        const late = () =>
          lease.answer?.(Result.fail(noSession("BUSY", "No session became free in time.")))
        const timer = setTimeout(late, within)
        lease.answer = (answer) => {
          clearTimeout(timer)
          lease.answer = undefined
          this.#line.delete(lease)
          resume(Effect.fromResult(answer))
        }
        this.#line.add(lease)
        this.#grow()
        return Effect.sync(() => {
          clearTimeout(timer)
          lease.answer = undefined
          this.#line.delete(lease)
        })
      })
      if (lease.open !== undefined) return lease.open.session.connection
      return yield* noSession("BUSY", "No session became free in time.")
    })

  /** Returns why a new caller is refused at once, if it is. */
  #refusal(within: number): SqlError | undefined {
    if (this.#closed) return noSession("CLOSED", "The store is closed.")
    const isAway = this.#opening || performance.now() < this.#retryAt
    if (this.#open.size === 0 && isAway && this.#failure !== undefined) return this.#failure
    if (this.#line.size >= MOST_WAITING)
      return noSession("BUSY", "Too many statements are waiting for a session.")
    return within <= 0
      ? noSession("BUSY", "The request's time was over before it got a session.")
      : undefined
  }

  #release(lease: Lease, exit: Exit.Exit<unknown, unknown>): void {
    const { open } = lease
    const error = Exit.isFailure(exit) ? Exit.findErrorOption(exit) : undefined
    if (error?._tag === "Some") this.#options.measures.failed(error.value)
    if (open === undefined) return
    open.users--
    if (open.users === 0) open.idleSince = performance.now()
    if (error !== undefined) this.#judge(open, Option.getOrUndefined(error))
    if (open.leaving && open.users === 0) this.#end(open, false)
    this.#admit()
  }

  /** Decides whether a session can be used after its use failed so, or was interrupted. */
  #judge(open: Open, error: unknown): void {
    if (error === undefined) {
      // The cancellation of a statement may hit the next one.
      if (this.#shared === 1) this.#end(open, true)
    } else if (meansShutdown(error)) this.#leave(open)
    else if (meansReadOnly(error) && !open.leaving) this.#options.onReadOnly()
  }

  /** Lends free sessions to waiting callers. */
  #admit(): void {
    for (const lease of this.#line) {
      const open = this.#free()
      if (open === undefined) break
      this.#lend(open, lease)
      lease.answer?.(Result.void)
    }
    this.#grow()
    if (this.#idle === 0) this.#spare()
  }

  /** Closes idle sessions at once. */
  #spare(): void {
    for (const open of this.#open) if (open.users === 0) this.#end(open, false)
  }

  #refuseAll(error: SqlError): void {
    for (const lease of this.#line) lease.answer?.(Result.fail(error))
  }

  #isWanted(): boolean {
    let usable = 0
    for (const { leaving } of this.#open) if (!leaving) usable++
    return usable < this.#least || (this.#line.size > 0 && usable < this.#options.most)
  }

  /** Opens a session if one is wanted and none is being opened. `isDue` ends the pause. */
  #grow(isDue = false): void {
    if (this.#closed || this.#opening || !this.#isWanted()) return
    if (!isDue && performance.now() < this.#retryAt) return
    this.#opening = true
    this.#isOutdated = false
    Effect.runFork(this.#options.open).addObserver((exit) => {
      this.#opening = false
      if (Exit.isSuccess(exit)) this.#opened(exit.value)
      else {
        const unclear = () => noSession("UNCLEAR", "A session could not be opened.")
        this.#failed(Option.getOrElse(Exit.findErrorOption(exit), unclear))
      }
    })
  }

  #opened(session: Session): void {
    if (this.#closed) return session.close(true)
    if (this.#isOutdated) {
      session.close(false)
      return this.#grow()
    }
    this.#failures = 0
    this.#failure = undefined
    const silence = new Silence(session.socket)
    const idleSince = performance.now()
    const open: Open = { session, silence, users: 0, idleSince, leaving: false }
    this.#open.add(open)
    session.socket.once("close", () => this.#end(open, true))
    this.#admit()
  }

  #failed(error: SqlError): void {
    this.#failures++
    this.#failure = error
    const pause = pauseAfter(this.#failures, Math.random())
    this.#retryAt = performance.now() + pause
    // It may end before `#retryAt`, since it counts from the begin of its turn of the event loop.
    setTimeout(() => this.#grow(true), pause + 1).unref()
    if (this.#open.size === 0) this.#refuseAll(error)
  }

  #leave(open: Open): void {
    open.leaving = true
    if (open.users === 0) this.#end(open, false)
  }

  #end(open: Open, now: boolean): void {
    if (!this.#open.delete(open)) return
    open.session.close(now)
    this.#grow()
  }

  /** Closes sessions that were silent or idle for too long. */
  #look(): void {
    const now = performance.now()
    // After a pause of this process, received data may still be unread.
    const stoodStill = now - this.#lookedAt > 2 * LOOK_EVERY
    this.#lookedAt = now
    for (const open of this.#open) {
      if (open.users > 0) {
        if (stoodStill) open.silence.begin(now)
        else if (open.silence.at(now) > this.#options.silence) this.#end(open, true)
      } else if (now - open.idleSince > this.#idle && this.#open.size > this.#least) {
        this.#end(open, false)
      }
    }
  }
}
