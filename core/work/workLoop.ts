import { Cause, Clock, Duration, Effect, Fiber, FiberSet, Latch } from "effect"
import { purgeCodes } from "../hosted/purgeCodes.ts"
import { purgePeriods } from "../installs/purgePeriods.ts"
import { purgeDays } from "../kyc/limits/purgeDays.ts"
import { DueWork, type DueWorkItem } from "../ports/DueWork.ts"
import { type DueKind, Store } from "../ports/Store.ts"
import type { WallClock } from "../ports/WallClock.ts"
import { sweep } from "../retention/sweep.ts"
import { SECOND, type Timestamp } from "../shared/Timestamp.ts"
import { attempt } from "./attempt.ts"
import { type Job, type JobServices, type Lane, makeLanes } from "./lanes.ts"
import { nextDueAt } from "./nextDueAt.ts"

/** How long an ending loop waits for the work in flight. */
const DRAIN = Duration.seconds(8)

/** The shortest and the longest pause between two looks at the store, in milliseconds. */
const SHORTEST = 20
const LONGEST = SECOND

/** The longest pause while the store is unreachable, in milliseconds. */
const OUTAGE = 5 * SECOND

/** How often expired data is removed, and the pause between two steps of that. */
const SWEEP_EVERY = Duration.minutes(10)
const SWEEP_PAUSE = Duration.millis(50)

/** How often counters of past days and periods are removed. */
const PURGE_EVERY = Duration.hours(1)

/** The work under way of a lane or an item. */
interface Crew {
  /** The kind of record that it handles; undefined for an item. */
  readonly kind: DueKind | undefined
  readonly free: Effect.Effect<number>
  readonly claim: (
    now: Timestamp,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<Job<JobServices>>, unknown, Store | WallClock>
  readonly begin: (job: Job<JobServices>) => Effect.Effect<unknown, never, JobServices>
  readonly end: Effect.Effect<void>
}

const makeCrew = Effect.fnUntraced(function* (
  kind: Crew["kind"],
  width: number,
  claim: Crew["claim"],
) {
  const fibers = yield* FiberSet.make<boolean>()
  const crew: Crew = {
    kind,
    free: Effect.map(FiberSet.size(fibers), (busy) => width - busy),
    claim,
    begin: (job) => FiberSet.run(fibers, job),
    end: FiberSet.awaitEmpty(fibers),
  }
  return crew
})

const laneCrew = (lane: Lane<JobServices>) => makeCrew(lane.kind, lane.width, lane.claim)

const itemCrew = (item: DueWorkItem) =>
  makeCrew(
    undefined,
    1,
    Effect.fnUntraced(function* (now) {
      const next = yield* item.nextDueAt
      if (next === undefined || next > now) return []
      const job = Effect.map(item.runDue(now), (done) => done > 0)
      return [attempt(item.name, "", job)]
    }),
  )

/**
 * Begins as much due work as there are free hands, and returns how much that was. If one claim
 * fails, the others still finish: otherwise what they have claimed would wait for its lease to end.
 */
const begin = Effect.fnUntraced(function* (crews: ReadonlyArray<Crew>) {
  const now = yield* Clock.currentTimeMillis
  const beginOf = Effect.fnUntraced(function* (crew: Crew) {
    const free = yield* crew.free
    if (free <= 0) return 0
    const jobs = yield* crew.claim(now, free)
    yield* Effect.forEach(jobs, crew.begin, { discard: true })
    return jobs.length
  })
  const ends = yield* Effect.forEach(crews, (crew) => Effect.exit(beginOf(crew)), {
    concurrency: "unbounded",
  })
  let begun = 0
  for (const end of ends) begun += yield* end
  return begun
})

/** Looks once, and returns how long to wait before the next look, in milliseconds. */
const look = Effect.fnUntraced(function* (crews: ReadonlyArray<Crew>, pause: number) {
  // While there is work, more is likely: the next due time is read only once there is none.
  if (pause > SHORTEST) {
    const next = yield* nextDueAt()
    const now = yield* Clock.currentTimeMillis
    if (next === undefined) return LONGEST
    if (next > now) return Math.min(next - now, LONGEST)
  }
  const now = yield* Clock.currentTimeMillis
  const kinds = yield* (yield* Store).dueKinds(now)
  const wanted = crews.filter(({ kind }) => kind === undefined || kinds.has(kind))
  const begun = yield* begin(wanted)
  return begun > 0 ? SHORTEST : Math.min(Math.max(pause, SHORTEST) * 2, LONGEST)
})

/** Removes counters of past days and periods. One that fails keeps no other from being removed. */
const purge = Effect.fnUntraced(function* () {
  const removals = [purgeDays(), purgeCodes(), purgePeriods()]
  const ends = yield* Effect.forEach(removals, (removal) => Effect.exit(removal))
  let removed = 0
  for (const end of ends) removed += yield* end
  if (removed > 0) yield* Effect.logDebug(`Removed ${removed} counters of past days and periods.`)
})

/** Repeats a removal in an endless loop, whether it fails or not. `what` names what it removes. */
const removing = <E, R>(
  what: string,
  every: Duration.Duration,
  removal: Effect.Effect<void, E, R>,
) =>
  Effect.andThen(
    Effect.catchCause(removal, (cause) =>
      Cause.hasInterrupts(cause)
        ? Effect.failCause(cause)
        : Effect.logWarning(`${what} could not be removed. It is tried again later.`, cause),
    ),
    Effect.sleep(every),
  ).pipe(Effect.forever)

const loop = Effect.fnUntraced(function* (ending: Latch.Latch) {
  const crews: ReadonlyArray<Crew> = [
    ...(yield* Effect.forEach(makeLanes(), laneCrew)),
    ...(yield* Effect.forEach(yield* DueWork, itemCrew)),
  ]
  // Apart from the work, which must not wait for a long removal or one that fails.
  yield* Effect.forkScoped(removing("Old data", SWEEP_EVERY, sweep(SWEEP_PAUSE)))
  yield* Effect.forkScoped(removing("Old counters", PURGE_EVERY, purge()))
  let pause = SHORTEST
  const turn = Effect.map(
    Effect.suspend(() => look(crews, pause)),
    (next) => {
      pause = next
    },
  )
  while (!ending.isOpen()) {
    yield* turn.pipe(
      Effect.catchCause((cause) => {
        if (Cause.hasInterrupts(cause)) return Effect.failCause(cause)
        pause = Math.min(Math.max(pause, LONGEST / 4) * 2, OUTAGE)
        return Effect.logWarning(`The worker failed and tries again in ${pause} ms.`, cause)
      }),
    )
    yield* Effect.raceFirst(Effect.sleep(pause), ending.await)
  }
  yield* Effect.forEach(crews, (crew) => crew.end, { discard: true })
}, Effect.scoped)

/**
 * Does what falls due until it is interrupted. It looks at the store when the next work is due and
 * at least every second, and more often while there is work. A piece of work waits only for a free
 * hand of its own kind, never for other work in flight. The loop continues after an outage of the
 * store. After an interruption it claims nothing more and ends after the work in flight, in 8
 * seconds at most.
 */
export const workLoop = Effect.fn("workLoop")(function* () {
  const ending = Latch.makeUnsafe(false)
  const running = yield* Effect.forkDetach(loop(ending))
  const drain = Effect.andThen(
    Effect.sync(() => ending.openUnsafe()),
    Effect.timeoutOption(Fiber.await(running), DRAIN),
  ).pipe(Effect.andThen(Effect.sync(() => running.interruptUnsafe())))
  return yield* Effect.onInterrupt(Fiber.join(running), () => drain)
})
