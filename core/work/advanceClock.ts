import { Clock, Effect } from "effect"
import { CurrentRequest } from "../idempotency/Reply.ts"
import { ClockMovedFrom } from "../listings/ProbeInterval.ts"
import { MovableClock } from "../ports/MovableClock.ts"
import { Failure } from "../shared/Failure.ts"
import { DAY, SECOND, type Timestamp, toIso } from "../shared/Timestamp.ts"
import { LEASE } from "./lanes.ts"
import { nextDueAt } from "./nextDueAt.ts"
import { runDue } from "./runDue.ts"

/** The most pauses of an advance, for work that another process holds or that keeps failing. */
const PAUSES = 400

/** After this many stops the clock stops only once a second, for all that is due within it. */
const EXACT_STOPS = 1_000

/** 2100-01-01: the limit of a sandbox's clock, because the clock never goes back. */
const LATEST: Timestamp = 4_102_444_800_000

const tooFar = (seconds: number) =>
  new Failure({
    code: "INVALID_REQUEST",
    message: `The sandbox's clock cannot go beyond ${toIso(LATEST)}.`,
    field: "seconds",
    details: [{ field: "seconds", reason: `${seconds} s from now is after ${toIso(LATEST)}` }],
  })

/**
 * Moves the service's clock forward by whole seconds and does the work that falls due on the way,
 * in order. Before the clock moves on, all due work has been done, by this worker or by another.
 * Work that stays due whatever is tried does not stop the clock: it then moves in steps that grow
 * from a lease to a day.
 *
 * Returns the time afterwards and how many pieces of work were done. Fails with `INVALID_REQUEST`
 * for a time after the year 2099.
 */
export const advanceClock = Effect.fn("advanceClock")(function* (seconds: number) {
  const clock = yield* MovableClock
  return yield* clock.exclusively(advance(seconds))
})

const advance = Effect.fnUntraced(function* (seconds: number) {
  const clock = yield* MovableClock
  const from = yield* Clock.currentTimeMillis
  const target = from + seconds * SECOND
  if (target > LATEST) return yield* tooFar(seconds)
  let ran = 0
  let pauses = PAUSES
  let step = LEASE
  let stops = 0
  while (true) {
    ran += yield* runDue().pipe(
      Effect.provideService(ClockMovedFrom, from),
      // The work does not answer the request that moves the clock.
      Effect.provideService(CurrentRequest, null),
    )
    const now = yield* Clock.currentTimeMillis
    const next = (yield* nextDueAt()) ?? Infinity
    if (next <= now && pauses > 0) {
      pauses -= 1
      yield* clock.pause
      continue
    }
    if (now >= target) break
    step = next <= now ? Math.min(2 * step, DAY) : LEASE
    stops += 1
    const together = stops > EXACT_STOPS ? SECOND : 0
    const stop: Timestamp = next <= now ? now + step : next + together
    yield* clock.moveTo(Math.min(stop, target))
  }
  return { now: toIso(yield* Clock.currentTimeMillis), ran }
})
