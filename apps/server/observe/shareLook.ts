import { Clock, Duration, Effect, Fiber, Scope } from "effect"

/** How long a scrape waits for a running query; then it shows the previous result. */
const PATIENCE = Duration.seconds(1)

/**
 * Shares one query among several callers. It runs at most once in each interval (in milliseconds);
 * callers in between get its result. It continues if callers stop waiting, and ends with the scope.
 * After a failed query, which is logged, the old result stays until the next query. Intervals and
 * waiting use the machine's time, even if the service's clock is moved.
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
    Effect.logWarning("The waiting work in the database could not be counted.", cause),
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
