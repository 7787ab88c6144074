import { Cause, type Context, Effect, Exit, Option } from "effect"
import { failureOf } from "../../adapters/shared/failureOf.ts"
import { StoreUnavailable } from "../../core/ports/Store.ts"
import { Failure, isFailure } from "../../core/shared/Failure.ts"

/** How long a closing payport waits for running calls, in milliseconds. */
const DRAIN_WITHIN = 8_000

/** The failure of every call of a closed payport. */
export const closed = (): Failure<"TEMPORARILY_UNAVAILABLE"> =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: "This payport is closed. Make another one with makePayport.",
  })

/** The failure that the host gets for an unexpected error; the log has the details. */
const unforeseen = () =>
  new Failure({
    code: "INTERNAL_ERROR",
    message: "payport has failed. Its log has the cause.",
  })

/**
 * Turns every error into a failure with a code. Logs errors that no use case intends, and why the
 * store is unavailable, which the failure does not say.
 */
const asFailure = <A, R>(effect: Effect.Effect<A, unknown, R>): Effect.Effect<A, Failure, R> =>
  Effect.catchCause(effect, (cause) => {
    if (Cause.hasInterrupts(cause)) return Effect.interrupt
    const failure = failureOf(cause)
    if (failure.code === "INTERNAL_ERROR") {
      return Effect.andThen(Effect.logError("A call failed.", cause), Effect.fail(unforeseen()))
    }
    const error = Option.getOrUndefined(Cause.findErrorOption(cause))
    return error instanceof StoreUnavailable
      ? Effect.andThen(
          Effect.logWarning("The store is unavailable.", error.cause),
          Effect.fail(failure),
        )
      : Effect.fail(failure)
  })

/** Runs the calls of one payport as promises, until it is closed. */
export class Runner<R> {
  readonly #context: Context.Context<R>
  readonly #underWay = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(context: Context.Context<R>) {
    this.#context = context
  }

  /** Rejects with a `Failure`, or with the signal's reason. */
  run<A>(effect: Effect.Effect<A, unknown, R>, signal?: AbortSignal): Promise<A> {
    if (this.#isClosed) return Promise.reject(closed())
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error)
    const run = Effect.runPromiseExitWith(this.#context)
    const running = run(asFailure(effect), signal === undefined ? {} : { signal })
    const ended = running.finally(() => this.#underWay.delete(ended))
    this.#underWay.add(ended)
    return ended.then((exit) => {
      if (Exit.isSuccess(exit)) return exit.value
      const error = Cause.squash(exit.cause)
      throw isFailure(error) ? error : (signal?.reason ?? unforeseen())
    })
  }

  /** The same as `run`, as an Effect; interrupting the Effect cancels the call. */
  effect<A>(effect: Effect.Effect<A, unknown, R>): Effect.Effect<A, Failure> {
    return Effect.callback((resume, signal) => {
      this.run(effect, signal).then(
        (value) => resume(Effect.succeed(value)),
        (error: unknown) => resume(isFailure(error) ? Effect.fail(error) : Effect.interrupt),
      )
    })
  }

  /** Refuses new calls, and waits for running ones. */
  async close(): Promise<void> {
    this.#isClosed = true
    let timer: NodeJS.Timeout | undefined
    const late = new Promise((resolve) => (timer = setTimeout(resolve, DRAIN_WITHIN)))
    await Promise.race([Promise.allSettled(this.#underWay), late])
    clearTimeout(timer)
  }
}
