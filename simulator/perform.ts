import { Cause, Effect, Exit, Layer } from "effect"
import * as MemoryStore from "../adapters/memory/MemoryStore.ts"
import { Store } from "../core/ports/Store.ts"
import { DAY, MINUTE } from "../core/shared/Timestamp.ts"
import type { Alterations } from "./Alterations.ts"
import { checkAlterations, checkOptions } from "./checkOptions.ts"
import type { Violation } from "./auditor/Auditor.ts"
import type { Note } from "./auditor/Trace.ts"
import type { Strike } from "./faults/Fault.ts"
import { type Glimpse, glimpseOf } from "./live/Glimpse.ts"
import { listeningHosts } from "./parts/listeningHosts.ts"
import type { Report } from "./Report.ts"
import { timelinesOf } from "./report/Latencies.ts"
import { remember } from "./report/performed.ts"
import { makeVirtualTime } from "./time/VirtualTime.ts"
import { play } from "./world/play.ts"
import { faultsOf, type Script } from "./world/plans/Plan.ts"
import { answeringStore } from "./world/ports/answeringStore.ts"
import { World } from "./world/World.ts"
import { type DrawOptions, drawScript } from "./drawScript.ts"

/** The progress of a run. */
export interface Progress {
  /** Finished payments. */
  readonly done: number
  readonly total: number
  readonly virtual_ms: number
}

/** How a script is performed, and who listens. */
export interface PerformOptions {
  readonly alterations?: Alterations
  /** Numbers of invariants: the world ends at the first violation of one of them. */
  readonly stop_at?: ReadonlyArray<number>
  readonly onProgress?: (progress: Progress) => void
  /** An empty store that answers synchronously, instead of the memory store. */
  readonly store?: Store["Service"]
  /** Receives everything that happens, in order. */
  readonly onStep?: (step: Note) => void
  /** Receives each fault at the moment when it happens; the world waits until it returns. */
  readonly onFault?: (strike: Strike) => void
  /** Receives each violation in the same way. */
  readonly onViolation?: (violation: Violation) => void
  /** Receives a view of the running world before anything happens. */
  readonly onWorld?: (world: Glimpse) => void
}

/** A world that is not at rest after this time never will be. */
const LONGEST = 400 * DAY

const statusesOf = (world: World): Report["statuses"] => {
  const counts = new Map<string, number>()
  for (const { record } of world.auditor.model.intents.values()) {
    counts.set(record.status, (counts.get(record.status) ?? 0) + 1)
  }
  return Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The states that a payment comes to once its payer has given the money. */
const PAID: ReadonlySet<string> = new Set(["authorized", "captured", "succeeded", "completed"])

const paidIn = (world: World): number =>
  [...world.auditor.model.intents.values()].filter(({ history }) =>
    history.some(({ status }) => PAID.has(status)),
  ).length

const reportOf = (world: World, { payments, scenario, seed, start }: Script): Report => {
  const { auditor, stage, steps, trace, visits } = world
  return {
    seed,
    scenario,
    intents: payments.length,
    operations: world.operations,
    trace_hash: trace.digest(),
    trace_steps: trace.steps,
    invariants: auditor.tallies(),
    violations: auditor.violations,
    faults: stage.log.counts(),
    settings: world.settings,
    steps: Object.fromEntries([...steps].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    pairs: visits.counts(auditor.model),
    statuses: statusesOf(world),
    paid: paidIn(world),
    latencies: world.latencies.counts(),
    timelines: timelinesOf(world),
    virtual_ms: stage.now() - start,
  }
}

/**
 * Performs a script: the core on the memory store, under virtual time, among clients, payers and
 * channels with faults, checked at every step. Returns when everything is at rest. Throws
 * `RangeError` for alterations that do not exist, and otherwise only if the world itself is broken.
 */
export const perform = (script: Script, options: PerformOptions = {}): Report => {
  const { payments, seed, start } = script
  const { alterations = {} } = options
  checkAlterations(alterations)
  const time = makeVirtualTime(start)
  const arrivals = payments.reduce((sum, { after }) => sum + after, 0)
  const program = Effect.flatMap(Store, (store) => {
    const world = new World({
      seed,
      faults: faultsOf(script),
      incidents: script.incidents,
      time,
      store,
      alterations,
      crashes: script.crashes,
      stop_at: options.stop_at ?? [],
      listens: script.parts?.includes(listeningHosts.name) === true,
      traffic: { from: start, to: start + arrivals + 15 * MINUTE },
      ...(options.onStep !== undefined && { onStep: options.onStep }),
      ...(options.onFault !== undefined && { onFault: options.onFault }),
      ...(options.onViolation !== undefined && { onViolation: options.onViolation }),
    })
    options.onWorld?.(glimpseOf(world))
    const played = play(world, script, (done) =>
      options.onProgress?.({ done, total: payments.length, virtual_ms: time.now() - start }),
    )
    return Effect.as(world.live(played), world)
  })
  const kept =
    options.store === undefined
      ? Layer.fresh(MemoryStore.layer)
      : Layer.succeed(Store, answeringStore(options.store, time))
  const exit = time.run(Effect.provide(program, kept), {
    until: start + LONGEST,
  })
  if (Exit.isFailure(exit)) throw new Error(`The world broke: ${Cause.pretty(exit.cause)}`)
  return remember(reportOf(exit.value, script), {
    script,
    alterations,
    isUsed: options.store !== undefined,
  })
}

/** What decides a run, and its listeners. Equal options give equal runs. */
export interface SimulateOptions extends DrawOptions, PerformOptions {}

/**
 * Runs the world of a seed: draws its script and performs it. Returns when everything is at rest.
 * Throws `RangeError` for options that do not exist and for a scenario that no file may have, and
 * otherwise only if the world itself is broken.
 */
export const simulate = (options: SimulateOptions): Report => {
  checkOptions(options)
  return perform(drawScript(options), options)
}
