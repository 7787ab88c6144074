import { Effect, Latch } from "effect"
import { nextDueAt } from "../../core/work/nextDueAt.ts"
import { runDue } from "../../core/work/runDue.ts"
import { MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import { CurrentCause } from "./CurrentCause.ts"
import type { Stage } from "./Stage.ts"

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

/** One of the world's workers: does what is due, often a little late, for as long as it runs. */
export const work = Effect.fnUntraced(
  function* (stage: Stage, bell: Bell, name: string) {
    const chance = stage.chance(name)
    let idle = SECOND
    for (;;) {
      const next = yield* nextDueAt()
      const wait = next === undefined ? Infinity : next - stage.now()
      if (wait > 0) yield* Effect.raceFirst(Effect.sleep(wait), bell.heard)
      yield* Effect.sleep(chance.hits(0.3) ? 0 : chance.wait(NOTICES_AFTER))
      const ran = yield* runDue()
      if (ran === 0) yield* Effect.sleep(idle)
      idle = ran === 0 ? Math.min(idle * 2, 15 * MINUTE) : SECOND
    }
  },
  Effect.provideService(CurrentCause, { type: "worker" }),
)
