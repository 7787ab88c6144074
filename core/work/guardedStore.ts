import { Clock, Duration, Effect, Layer, Metric } from "effect"
import { ReferenceClock, WrongClock } from "../ports/ReferenceClock.ts"
import { Store, StoreUnavailable } from "../ports/Store.ts"
import { WallClock } from "../ports/WallClock.ts"
import {
  type ClockSample,
  type ClockState,
  describeOffset,
  offsetAt,
  originOf,
  stateOf,
} from "../shared/ClockOffset.ts"
import { SECOND, type Timestamp } from "../shared/Timestamp.ts"

/**
 * How often a process checks its clock, at which of these checks it asks the database, and how many
 * times.
 */
const EVERY = Duration.seconds(1)
const ASKING = 10
const SAMPLES = 5

const NANOSECONDS = 1_000_000

const offsets = Metric.gauge("payport_clock_offset_seconds", {
  description: "How far this process's clock is ahead of the database's; negative behind it.",
})

type Service = Store["Service"]

type Ask = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

/** Returns whether a function only reports changes. Those need no check. */
const isWatch = (name: string): boolean => name.startsWith("watch")

/**
 * How long a clock that was wrong has to be right before the store is used again, in milliseconds.
 * Everything that was decided by the wrong clock has ended by then.
 */
export const SETTLES_AFTER = 10 * SECOND

const saying = (offset: number) => `This process's clock is ${describeOffset(offset)}.`

/** Fails with `WrongClock` if a clock is too far off. `offset` is in milliseconds. */
const refuse = (offset: number): Effect.Effect<void, WrongClock> =>
  stateOf(offset) === "wrong"
    ? Effect.fail(new WrongClock({ message: saying(offset) }))
    : Effect.void

/** Returns the functions of a store by name, also of one that is an instance of a host's class. */
const functionsOf = (store: Service): ReadonlyMap<string, Ask> => {
  const found = new Map<string, Ask>()
  let owner: unknown = store
  while (typeof owner === "object" && owner !== null && owner !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(owner)) {
      const value: unknown = Reflect.get(store, name)
      if (name !== "constructor" && typeof value === "function") found.set(name, value as Ask)
    }
    owner = Object.getPrototypeOf(owner)
  }
  return found
}

/** Returns the store, each of whose functions runs as `guard` decides. */
export const guardedBy = (
  store: Service,
  guard: (ask: () => Effect.Effect<unknown, unknown>) => Effect.Effect<unknown, unknown>,
): Service => {
  const guarded = [...functionsOf(store)].map(([name, ask]) => [
    name,
    isWatch(name)
      ? ask.bind(store)
      : (...args: ReadonlyArray<unknown>) => guard(() => Reflect.apply(ask, store, args)),
  ])
  return { ...store, ...(Object.fromEntries(guarded) as Partial<Service>) }
}

/**
 * Returns the store, all of whose functions fail with `StoreUnavailable` while the process's clock
 * is wrong, or was a moment ago. `furthest` returns how far it has been off lately, in
 * milliseconds, given the result of `clock`. A request calls the store several times, so this takes
 * few steps. Leases of due work are counted by the database's clock: those of two processes whose
 * clocks differ would otherwise overlap.
 */
export const usedByClock = <A>(
  store: Service,
  clock: Effect.Effect<A>,
  furthest: (now: A) => number,
): Service => {
  const wrong = (ahead: number) => {
    const cause = new WrongClock({ message: saying(ahead) })
    return Effect.fail(new StoreUnavailable({ outcome: "not_stored", cause, trouble: "clock" }))
  }
  const unlessWrong = <B, E>(
    ask: (ahead: number) => Effect.Effect<B, E>,
  ): Effect.Effect<B, E | StoreUnavailable> =>
    Effect.flatMap(clock, (now): Effect.Effect<B, E | StoreUnavailable> => {
      const ahead = furthest(now)
      return stateOf(ahead) === "wrong" ? wrong(ahead) : ask(ahead)
    })
  return {
    ...guardedBy(store, unlessWrong),
    claimDue: (kind, now, options) =>
      unlessWrong((ahead) => store.claimDue(kind, now, { ...options, ahead })),
  }
}

/** Logs that a clock is off, or right again. */
const tell = (offset: number, state: ClockState): Effect.Effect<void> =>
  state === "wrong"
    ? Effect.logError(`${saying(offset)} It stops all work until its clock is right.`)
    : state === "off"
      ? Effect.logWarning(saying(offset))
      : Effect.logInfo("This process's clock is right again.")

const make = Effect.gen(function* () {
  const store = yield* Store
  const wall = yield* WallClock
  const clock = yield* Clock.Clock
  const reference = yield* ReferenceClock
  const monotonic = () => Number(clock.monotonicTimeNanosUnsafe()) / NANOSECONDS
  let origin: number | undefined
  let told: ClockState = "right"
  let wrong = { ahead: 0, until: -Infinity }

  const sample = Effect.gen(function* () {
    const asked = monotonic()
    const now = yield* reference.now
    const taken: ClockSample = { asked, heard: monotonic(), reference: now }
    return taken
  })
  const compare = Effect.map(Effect.replicateEffect(sample, SAMPLES), (samples) => {
    origin = originOf(samples) ?? origin
  })
  const offset = (now: Timestamp): number =>
    origin === undefined ? 0 : offsetAt(origin, now, monotonic())
  const furthest = (now: Timestamp): number => {
    const ahead = offset(now)
    if (stateOf(ahead) === "wrong") wrong = { ahead, until: monotonic() + SETTLES_AFTER }
    return wrong.until > -Infinity && monotonic() < wrong.until ? wrong.ahead : ahead
  }
  const look = Effect.fnUntraced(function* (again: boolean) {
    if (again) {
      yield* Effect.catch(compare, (error) =>
        Effect.logDebug("The database's clock cannot be read.", error),
      )
    }
    const now = yield* wall.now
    furthest(now)
    const ahead = offset(now)
    const state = stateOf(ahead)
    yield* Metric.update(offsets, ahead / SECOND)
    if (state !== told || (again && state !== "right")) yield* tell(ahead, state)
    told = state
  })

  yield* compare
  yield* refuse(offset(yield* wall.now))
  yield* Effect.forkScoped(
    Effect.gen(function* () {
      for (let looks = 1; ; looks += 1) {
        // After a failed check, the next one is still made.
        yield* Effect.catchCause(look(looks % ASKING === 0), (cause) =>
          Effect.logError("This process's clock could not be compared.", cause),
        )
        yield* clock.sleep(EVERY)
      }
    }),
  )
  return usedByClock(store, wall.now, furthest)
})

/**
 * The store for a process whose clock may be wrong. The process compares its clock with the
 * database's every ten seconds and logs a difference beyond 2 s. Beyond 30 s it does not use the
 * store: it claims no due work, signs and stores nothing, and refuses every request with
 * `TEMPORARILY_UNAVAILABLE`, so that another process gets it. A jump in between is noticed at once,
 * because a monotonic clock continues the database's time. Fails with `WrongClock` if the clock is
 * wrong at the start.
 *
 * Requests are refused instead of answered by the database's time. Reads and writes depend on the
 * time throughout, and a machine whose clock is that far off fails in places outside our control,
 * such as certificates. An operator has to repair it.
 */
export const guardedStore: Layer.Layer<
  Store,
  StoreUnavailable | WrongClock,
  ReferenceClock | Store | WallClock
> = Layer.effect(Store, make)
