import { Cause, Effect, Exit, Layer } from "effect"
import * as MemoryStore from "../adapters/memory/MemoryStore.ts"
import { Store } from "../core/ports/Store.ts"
import { DAY, MINUTE, type Timestamp } from "../core/shared/Timestamp.ts"
import type { Alterations } from "./Alterations.ts"
import { drawFaults, type Faults } from "./faults/Faults.ts"
import { drawPayment, type PaymentPlan } from "./world/Plan.ts"
import type { Report } from "./Report.ts"
import { makeChance } from "./random/Chance.ts"
import { makeVirtualTime } from "./time/VirtualTime.ts"
import { play } from "./world/play.ts"
import { World } from "./world/World.ts"

/** How a run gets on. */
export interface Progress {
  /** Payments about which nobody does anything any more. */
  readonly done: number
  readonly total: number
  readonly virtual_ms: number
}

/** What decides a run: equal options give equal runs. */
export interface SimulateOptions {
  readonly seed: number
  /** How many payments are tried. */
  readonly intents: number
  /** Instead of what the seed would draw. */
  readonly faults?: Partial<Faults>
  readonly alterations?: Alterations
  /** Numbers of invariants: the first of them that breaks ends the world where it is. */
  readonly stop_at?: ReadonlyArray<number>
  readonly onProgress?: (progress: Progress) => void
}

/** Twenty minutes to midnight, UTC, at the end of a month: worlds live on into the next. */
const START: Timestamp = 1_769_902_800_000

/** A world that has not come to rest by then never will. */
const LONGEST = 400 * DAY

const statusesOf = (world: World): Report["statuses"] => {
  const counts = new Map<string, number>()
  for (const { record } of world.auditor.model.intents.values()) {
    counts.set(record.status, (counts.get(record.status) ?? 0) + 1)
  }
  return Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const plansOf = (seed: number, intents: number, faults: Faults): ReadonlyArray<PaymentPlan> =>
  Array.from({ length: intents }, (_, n) =>
    drawPayment(makeChance(`${seed} payment ${n}`), faults, n),
  )

/**
 * Runs the world that a seed decides: the core on the memory store, under virtual time, among
 * clients, payers and channels that misbehave, judged at every step. Returns when everything has
 * come to rest. Throws only where the world itself is broken.
 */
export const simulate = (options: SimulateOptions): Report => {
  const { seed, intents } = options
  const faults = { ...drawFaults(seed), ...options.faults }
  const plans = plansOf(seed, intents, faults)
  const time = makeVirtualTime(START)
  const arrivals = plans.reduce((sum, { after }) => sum + after, 0)
  const program = Effect.flatMap(Store, (store) => {
    const world = new World({
      seed,
      faults,
      time,
      store,
      alterations: options.alterations ?? {},
      stop_at: options.stop_at ?? [],
      traffic: { from: START, to: START + arrivals + 15 * MINUTE },
    })
    const played = play(world, plans, (done) =>
      options.onProgress?.({ done, total: intents, virtual_ms: time.now() - START }),
    )
    return Effect.as(world.live(played), world)
  })
  const exit = time.run(Effect.provide(program, Layer.fresh(MemoryStore.layer)), {
    until: START + LONGEST,
  })
  if (Exit.isFailure(exit)) throw new Error(`The world broke: ${Cause.pretty(exit.cause)}`)
  const world = exit.value
  return {
    seed,
    intents,
    trace_hash: world.trace.digest(),
    trace_steps: world.trace.steps,
    invariants: world.auditor.tallies(),
    violations: world.auditor.violations,
    faults: world.stage.log.counts(),
    settings: faults,
    statuses: statusesOf(world),
    virtual_ms: time.now() - START,
  }
}
