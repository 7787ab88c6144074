import { type Context, Effect, Fiber } from "effect"
import { openRuns } from "../../core/reports/openRuns.ts"
import { workLoop } from "../../core/work/workLoop.ts"

/** A worker that runs: it does what falls due, such as settlements, expiry and webhooks. */
export interface Worker {
  /** Ends after the work under way, in ten seconds at most. */
  readonly stop: () => Promise<void>
}

/** What a worker does for as long as it runs. It has no trace, which would never end. */
const working = Effect.andThen(openRuns(), workLoop()).pipe(Effect.withTracerEnabled(false))

/** Runs one worker at most, whoever starts it how often. */
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
