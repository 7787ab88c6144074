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

/** How soon a worker that is late notices that something is due, in milliseconds on average. */
const NOTICES_AFTER = 300

/** A worker that sleeps until something falls due. */
interface Sleeper {
  readonly until: Timestamp
  readonly wake: () => void
}

/** Wakes workers when what they wait for falls due, and when something falls due before that. */
export class Bell {
  readonly #sleepers = new Set<Sleeper>()
  readonly #after: VirtualTime["after"]

  constructor({ after }: VirtualTime) {
    this.#after = after
  }

  /** `next` is when something falls due first; undefined for nothing. */
  readonly ring = (next: Timestamp | undefined): void => {
    if (next === undefined) return
    for (const sleeper of this.#sleepers) if (next < sleeper.until) sleeper.wake()
  }

  /** Sleeps for so many milliseconds, after which it is `until`, or until it rings. */
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
 * How long a worker rests at most that can do nothing of what is due, since others hold it: the
 * service's own looks every second, which in weeks of virtual time is most of a world's time.
 */
export const LONGEST_REST = 15 * MINUTE

/** How long a worker rests that could not reach the store. */
const OUT_OF_REACH = 5 * SECOND

/** A version may lack as many of the kinds of due work that came last. */
const UNKNOWN = 6

/**
 * How soon a worker first removes what is older than it is kept, and how much later it does so each
 * time after that: nearly everything leaves in a world's first days, and worlds live for months.
 */
const SWEEP_AFTER = { first: 12 * HOUR, growth: 1.5 } as const

/** Removes what is too old, for as long as the process runs, in half of all worlds. */
const sweeping = Effect.fnUntraced(function* (stage: Stage, life: Life) {
  if (stage.chance("retention").hits(0.5)) return
  for (let rest: number = SWEEP_AFTER.first; life.open; rest *= SWEEP_AFTER.growth) {
    yield* Effect.sleep(rest)
    if (life.open) yield* Effect.catch(sweep(SECOND), () => Effect.void)
  }
})

/** A process's worker: does what is due, often a little late, for as long as its process runs. */
export const work = Effect.fnUntraced(
  function* (stage: Stage, bell: Bell, life: Life) {
    const chance = stage.chance(`work of ${life.name}`)
    const all = makeLanes()
    // Somebody has to do what the others do not know: the first process is never old.
    const isOld = life.place > 0 && chance.hits(stage.faults().process_old)
    if (isOld) stage.log.note("process_old")
    const known = isOld ? all.slice(0, -chance.int(1, UNKNOWN)) : all
    yield* Effect.forkChild(sweeping(stage, life))
    let idle = SECOND
    const turn = Effect.gen(function* () {
      const next = (yield* nextDueAt()) ?? Infinity
      const wait = next - (yield* Clock.currentTimeMillis)
      // Others may have done by then what this one waits for: it looks again.
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
