import { Effect } from "effect"
import type { Outgoing } from "../../shared/Exchange.ts"
import { type Held, isHeld, type SessionOptions } from "./sessions.ts"

interface Watched {
  readonly address: string
  readonly held: Held
  /** How often the session is checked, in milliseconds. */
  readonly every: number
}

/** How often the session of an open stream is checked, in milliseconds. */
export const LOOK_EVERY = 3_000

/**
 * Checks a session every so many milliseconds for as long as a response is open, and calls `end`
 * once it is over. If the check fails, the stream continues until the next check.
 */
export const endWithSession = Effect.fnUntraced(function* (
  res: Outgoing,
  end: () => void,
  { address, every, held }: Watched,
  options: SessionOptions,
) {
  type Ports = Effect.Services<ReturnType<typeof isHeld>>
  const run = Effect.runPromiseWith(yield* Effect.context<Ports>())
  const look = () =>
    run(isHeld(held, address, options)).then(
      (still) => {
        if (!still) end()
      },
      () => undefined,
    )
  const looking = setInterval(() => void look(), every).unref()
  res.once("close", () => clearInterval(looking))
})
