import { type Context, Effect, Fiber } from "effect"
import { openRuns } from "../../core/reports/openRuns.ts"
import { workLoop } from "../../core/work/workLoop.ts"

/** A running worker. It does due work, such as settlements, expiry and webhooks. */
export interface Worker {
  /** Stops the worker after its current work, within ten seconds. */
  readonly stop: () => Promise<void>
}

/** The loop of a worker. It has no trace, since the trace would never end. */
const working = Effect.all([openRuns(), workLoop()], {
  concurrency: "unbounded",
  discard: true,
}).pipe(Effect.withTracerEnabled(false))

/** Runs at most one worker, however often it is started. */
export class Workers {
  readonly #context: Context.Context<Effect.Services<typeof working>>
  #running: Fiber.Fiber<unknown, unknown> | undefined

  constructor(context: Context.Context<Effect.Services<typeof working>>) {
    this.#context = context
  }

  readonly start = (): Worker => {
    this.#running ??= Effect.runForkWith(this.#context)(working)
    return { stop: this.stop }
  }

  readonly stop = async (): Promise<void> => {
    const running = this.#running
    this.#running = undefined
    if (running !== undefined) await Effect.runPromise(Fiber.interrupt(running))
  }
}
