import { Clock, Effect, Latch } from "effect"
import { nextDueAt } from "../../../core/work/nextDueAt.ts"
import { makeLanes } from "../../../core/work/lanes.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { sweep } from "../../../core/retention/sweep.ts"
import { HOUR, MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { CurrentCause } from "../ports/CurrentCause.ts"
import type { Life } from "./Process.ts"
import type { Stage } from "../Stage.ts"

/** How soon a worker that is late notices that something is due, in milliseconds on average. */
const NOTICES_AFTER = 300

/** Tells sleeping workers that something may have fallen due. */
export class Bell {
  readonly #latches = new Set<Latch.Latch>()

  readonly ring = (): void => {
    for (const latch of this.#latches) latch.openUnsafe()
    this.#latches.clear()
  }

  readonly heard = Effect.suspend(() => {
    const latch = Latch.makeUnsafe(false)
    this.#latches.add(latch)
    return Effect.ensuring(
      latch.await,
      Effect.sync(() => this.#latches.delete(latch)),
    )
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
      const next = yield* nextDueAt()
      const wait = next === undefined ? Infinity : next - (yield* Clock.currentTimeMillis)
      if (wait > 0) yield* Effect.raceFirst(Effect.sleep(wait), bell.heard)
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
