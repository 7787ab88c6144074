import { Clock, Effect } from "effect"
import { nextDueAt } from "../../../core/work/nextDueAt.ts"
import { makeLanes } from "../../../core/work/lanes.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { sweep } from "../../../core/retention/sweep.ts"
import { HOUR, MINUTE, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { CurrentCause } from "../ports/CurrentCause.ts"
import type { VirtualTime } from "../../time/VirtualTime.ts"
import type { Life } from "./Process.ts"
import type { Stage } from "../Stage.ts"

/** How soon a late worker notices due work, in milliseconds on average. */
const NOTICES_AFTER = 300

/** A worker that sleeps until work becomes due. */
interface Sleeper {
  readonly until: Timestamp
  readonly wake: () => void
}

/** Wakes workers when their next work becomes due, or other work before that. */
export class Bell {
  readonly #sleepers = new Set<Sleeper>()
  readonly #after: VirtualTime["after"]

  constructor({ after }: VirtualTime) {
    this.#after = after
  }

  /** `next` is when the next work becomes due; undefined for none. */
  readonly ring = (next: Timestamp | undefined): void => {
    if (next === undefined) return
    for (const sleeper of this.#sleepers) if (next < sleeper.until) sleeper.wake()
  }

  /** Sleeps for so many milliseconds, until `until`, or until it rings. */
  readonly sleep = (until: Timestamp, millis: number): Effect.Effect<void> =>
    Effect.callback<void>((resume) => {
      const end = () => {
        this.#sleepers.delete(sleeper)
        forget()
      }
      const wake = () => {
        end()
        resume(Effect.void)
      }
      const sleeper = { until, wake }
      this.#sleepers.add(sleeper)
      const forget = Number.isFinite(millis) ? this.#after(millis, wake) : () => undefined
      return Effect.sync(end)
    })
}

/**
 * How long a worker rests at most while others hold the due work. The service's own worker checks
 * every second, which would be most of a world's time over weeks of virtual time.
 */
export const LONGEST_REST = 15 * MINUTE

/** How long a worker rests after it could not reach the store. */
const OUT_OF_REACH = 5 * SECOND

/** How many of the newest kinds of due work an older version may not know. */
const UNKNOWN = 6

/**
 * When a worker first removes records after their retention time, and by which factor the interval
 * grows each time: nearly all are removed in a world's first days, and worlds last for months.
 */
const SWEEP_AFTER = { first: 12 * HOUR, growth: 1.5 } as const

/** Removes records after their retention time, as long as the process runs, in half the worlds. */
const sweeping = Effect.fnUntraced(function* (stage: Stage, life: Life) {
  if (stage.chance("retention").hits(0.5)) return
  for (let rest: number = SWEEP_AFTER.first; life.open; rest *= SWEEP_AFTER.growth) {
    yield* Effect.sleep(rest)
    if (life.open) yield* Effect.catch(sweep(SECOND), () => Effect.void)
  }
})

/** A process's worker: does due work, often slightly late, as long as its process runs. */
export const work = Effect.fnUntraced(
  function* (stage: Stage, bell: Bell, life: Life) {
    const chance = stage.chance(`work of ${life.name}`)
    const all = makeLanes()
    // Some process has to do the work that the others do not know, so the first process is never
    // old.
    const isOld = life.place > 0 && chance.hits(stage.faults().process_old)
    if (isOld) stage.log.note("process_old")
    const known = isOld ? all.slice(0, -chance.int(1, UNKNOWN)) : all
    yield* Effect.forkChild(sweeping(stage, life))
    let idle = SECOND
    const turn = Effect.gen(function* () {
      const next = (yield* nextDueAt()) ?? Infinity
      const wait = next - (yield* Clock.currentTimeMillis)
      // Others may have done the awaited work meanwhile, so it checks again.
      if (wait > 0) return yield* bell.sleep(next, wait)
      yield* Effect.sleep(chance.hits(0.3) ? 0 : chance.wait(NOTICES_AFTER))
      if (!life.open) return
      const ran = yield* runDue(stage.faults().process_old > 0 ? known : all)
      if (ran === 0) yield* Effect.sleep(idle)
      idle = ran === 0 ? Math.min(idle * 2, LONGEST_REST) : SECOND
    })
    while (life.open) {
      yield* Effect.catchTag(turn, "StoreUnavailable", () => Effect.sleep(OUT_OF_REACH))
    }
  },
  Effect.provideService(CurrentCause, { type: "worker" }),
)
