import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Threads } from "../../apps/simulate/batch/runSeeds.ts"
import { Totals } from "../../apps/simulate/batch/Totals.ts"
import { PAIRS, pairName } from "../../simulator/auditor/Pairs.ts"
import type { FaultInfo } from "../../simulator/faults/Fault.ts"
import { FAULTS } from "../../simulator/faults/Faults.ts"
import { tryCrashes } from "./crashes.ts"

/** The full number of seeds; `SIMULATED_SEEDS=100` plays fewer, which find less. */
const WHOLE = 2_000
const SEEDS = Number(process.env["SIMULATED_SEEDS"] ?? WHOLE)

/** The share of the illegal pairs that may go unvisited: the rarest take the whole run. */
const UNVISITED = SEEDS < WHOLE ? 0.12 : 0.05
const INTENTS = 11
const TWICE = 50
const DAY = 86_400_000

/** A long limit, since the worlds leave the processor to all other programs. */
const PATIENCE = 3_600_000

/** All worlds, and the first of them once more, by threads that have run many others meanwhile. */
const worlds = function* () {
  for (let seed = 1; seed <= SEEDS; seed += 1) yield { seed, intents: INTENTS }
  for (let seed = 1; seed <= Math.min(TWICE, SEEDS); seed += 1) yield { seed, intents: INTENTS }
}

const threads = new Threads(2)
afterAll(() => threads.end())

describe("worlds of a week", () => {
  const totals = new Totals("mixed")
  const shortest = { virtual_ms: Infinity }
  const first = new Map<number, string>()
  const again = new Map<number, string>()

  beforeAll(async () => {
    await threads.run(worlds(), (done) => {
      if (done.type === "broken") totals.broken.push(done)
      else if (first.has(done.report.seed)) again.set(done.report.seed, done.report.trace_hash)
      else {
        first.set(done.report.seed, done.report.trace_hash)
        totals.add(done.report, done.wall_ms)
        shortest.virtual_ms = Math.min(shortest.virtual_ms, done.report.virtual_ms)
      }
      return totals.isSound
    })
  }, PATIENCE)

  test("keep every invariant", () => {
    expect(totals.failed).toEqual([])
    expect(totals.broken).toEqual([])
    expect(totals.seeds).toBe(SEEDS)
    expect(totals.invariants.filter(({ checks }) => checks === 0)).toEqual([])
  })

  test("live for seven days each, with three hundred requests on average", () => {
    expect(totals.operations / totals.seeds).toBeGreaterThan(300)
    expect(shortest.virtual_ms).toBeGreaterThanOrEqual(7 * DAY)
  })

  test("pay at least 60% of what they create", () => {
    expect(totals.paid / totals.made).toBeGreaterThan(0.6)
  })

  test("are struck by every fault five hundred times", () => {
    const names = Object.entries<FaultInfo>(FAULTS).flatMap(([fault, { counted_as = fault }]) =>
      counted_as === null ? [] : [counted_as],
    )
    const rare = names
      .map((name) => [name, totals.faults[name] ?? 0] as const)
      .filter(([, count]) => count < (500 * SEEDS) / WHOLE)
    expect(rare).toEqual([])
  })

  test("visit every legal pair of state and event, and most of the illegal ones", () => {
    const unseen = PAIRS.filter((pair) => (totals.pairs[pairName(pair)] ?? 0) === 0)
    const illegal = PAIRS.filter(({ legal }) => !legal).length
    const missing = unseen.map(pairName)
    expect(unseen.filter(({ legal }) => legal).map(pairName)).toEqual([])
    expect(unseen.length, missing.join(", ")).toBeLessThanOrEqual(illegal * UNVISITED)
  })

  test("are the same when they are run again", () => {
    expect(again.size).toBe(Math.min(TWICE, SEEDS))
    for (const [seed, hash] of again) expect(first.get(seed), `seed ${seed}`).toBe(hash)
  })
})

// Threads need as long for their first fifty worlds as for eighty others.
tryCrashes(threads, PATIENCE)
