import { Clock, Duration, Effect, Fiber, Scope } from "effect"

/** What a scrape waits for a look that is under way; it then shows what the one before found. */
const PATIENCE = Duration.seconds(1)

/**
 * A look that several ask for, made once an interval (in milliseconds) at most: whoever asks
 * meanwhile has what it found. It goes on without those who no longer wait for it, ends with the
 * scope, and one that failed is an entry in the log until the next. Intervals and patience are of
 * the machine's time, also where the service's clock is moved.
 */
export const shareLook = Effect.fnUntraced(function* <E>(
  interval: number,
  look: Effect.Effect<void, E>,
  now: () => number = () => performance.now(),
) {
  const scope = yield* Scope.Scope
  let begun = -Infinity
  let running: Fiber.Fiber<void> | undefined
  const logged = Effect.catchCause(look, (cause) =>
    Effect.logWarning("What waits in the database could not be counted.", cause),
  )
  const begin = Effect.suspend(() => {
    begun = now()
    return Effect.map(Effect.forkIn(logged, scope), (fiber) => {
      running = fiber
    })
  })
  const shared = Effect.gen(function* () {
    const isOver = running === undefined || running.pollUnsafe() !== undefined
    if (isOver && now() - begun >= interval) yield* begin
    if (running !== undefined) yield* Effect.timeoutOption(Fiber.await(running), PATIENCE)
  })
  return Effect.provideService(shared, Clock.Clock, Clock.Clock.defaultValue())
})
