import { Clock, Context, Duration, Effect, Layer, Schema } from "effect"
import { Documents } from "../../core/ports/Documents.ts"
import { MovableClock } from "../../core/ports/MovableClock.ts"
import type { StoreUnavailable } from "../../core/ports/Store.ts"
import { retryWrite } from "../shared/retryWrite.ts"
import { documentLock } from "./documentLock.ts"

const SCOPE = "sandbox"
const ID = "clock"

/** How often the clock reads the offset that other processes have set. */
const REFRESH = Duration.millis(500)

const PAUSE = Duration.millis(25)

const decodeStored = Schema.decodeUnknownEffect(Schema.Struct({ offset: Schema.Finite }))

/** The system's clock plus an offset. Only the time of day moves. Sleeps are real. */
class OffsetClock implements Clock.Clock {
  offset = 0
  readonly #system: Clock.Clock

  constructor(system: Clock.Clock) {
    this.#system = system
  }

  readonly currentTimeMillis = Effect.sync(() => this.currentTimeMillisUnsafe())
  readonly currentTimeNanos = Effect.sync(() => this.currentTimeNanosUnsafe())
  readonly monotonicTimeNanos = Effect.sync(() => this.monotonicTimeNanosUnsafe())

  currentTimeMillisUnsafe(): number {
    return this.#system.currentTimeMillisUnsafe() + this.offset
  }

  currentTimeNanosUnsafe(): bigint {
    return this.#system.currentTimeNanosUnsafe() + BigInt(this.offset) * 1_000_000n
  }

  monotonicTimeNanosUnsafe(): bigint {
    return this.#system.monotonicTimeNanosUnsafe()
  }

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return this.#system.sleep(duration)
  }
}

const readStored = Effect.fnUntraced(function* (documents: Documents["Service"]) {
  const found = yield* documents.get(SCOPE, ID)
  if (found === undefined) return { offset: 0, version: 0 }
  const { offset } = yield* Effect.orDie(decodeStored(found.body))
  return { offset, version: found.version }
})

const make = Effect.gen(function* () {
  const documents = yield* Documents
  const system = yield* Clock.Clock
  const clock = new OffsetClock(system)

  const catchUp = Effect.map(readStored(documents), (stored) => {
    clock.offset = Math.max(clock.offset, stored.offset)
    return stored
  })

  const moveTo = Effect.fnUntraced(function* (at: number) {
    const { offset, version } = yield* catchUp
    const wanted = Math.ceil(at) - system.currentTimeMillisUnsafe()
    if (wanted <= offset) return
    yield* documents.put({
      scope: SCOPE,
      id: ID,
      version,
      body: { offset: wanted },
      due_at: null,
    })
    clock.offset = Math.max(clock.offset, wanted)
  }, retryWrite)

  yield* catchUp
  yield* system.sleep(REFRESH).pipe(
    Effect.andThen(catchUp),
    Effect.catch((error) => Effect.logDebug("The sandbox's clock cannot be read.", error)),
    Effect.forever,
    Effect.forkScoped,
  )
  const locked = documentLock(documents, system)
  const movable = MovableClock.of({
    moveTo,
    pause: system.sleep(PAUSE),
    // After waiting for another process, continues from its offset.
    exclusively: (self) => locked(Effect.andThen(catchUp, self)),
  })
  return Context.make(Clock.Clock, clock).pipe(Context.add(MovableClock, movable))
})

/**
 * The service's clock in a sandbox: the system's time plus a stored offset, which all processes on
 * the same database share.
 */
export const layer: Layer.Layer<MovableClock, StoreUnavailable, Documents> =
  Layer.effectContext(make)
