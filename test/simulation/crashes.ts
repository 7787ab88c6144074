import { beforeAll, describe, expect, test } from "vitest"
import type { Threads } from "../../apps/simulate/batch/runSeeds.ts"
import type { SentOptions } from "../../apps/simulate/batch/Thread.ts"
import { Totals } from "../../apps/simulate/batch/Totals.ts"
import { NO_FAULTS } from "../../simulator/faults/Faults.ts"
import { makeChance } from "../../simulator/random/Chance.ts"

/** Few enough payments to run a world for every label, and enough to reach the labels. */
const INTENTS = 8
/** Worlds that reach steps which earlier ones do not. Each step has a crash in one of them. */
const SEEDS = [1, 2, 3, 6]
/** Crashes of one world, which together take the time of one. */
const TOGETHER = 4
const PAIRS = 60

/** Faults besides the crashes that lead a world to critical steps. */
const faults = {
  ...NO_FAULTS,
  store_latency_ms: 10,
  client_parallel: 0.3,
  refund_slow: 0.5,
  callback_lost: 0.2,
  revocation_failed: 0.3,
  receiver_failed: 0.2,
}

/** Worlds with so many crashes each, of verbs that are far apart, at the labels of these seeds. */
const worldsThatCrash = (
  labels: ReadonlyMap<string, number>,
  together: number,
): ReadonlyArray<SentOptions> =>
  SEEDS.flatMap((seed) => {
    const own = [...labels].flatMap(([label, at]) => (at === seed ? [label] : [])).toSorted()
    const count = Math.ceil(own.length / together)
    return Array.from({ length: count }, (_, world) => ({
      seed,
      intents: INTENTS,
      faults,
      crashes: own.flatMap((label, n) => (n % count === world ? [{ label, nth: 1 }] : [])),
    }))
  })

/** Plays worlds in which processes crash, on threads that have played other worlds. */
export const tryCrashes = (threads: Threads, patience: number): void => {
  describe("a process that crashes", () => {
    const labels = new Map<number, ReadonlyArray<string>>()

    /** Returns the results, and the labels at which processes crashed. */
    const perform = async (worlds: ReadonlyArray<SentOptions>) => {
      const totals = new Totals("crashes")
      const struck = new Set<string>()
      await threads.run(worlds, (done, { crashes = [] }) => {
        if (done.type === "broken") {
          totals.broken.push(done)
          return true
        }
        totals.add(done.report, done.wall_ms)
        for (const { label, nth } of crashes) {
          if ((done.report.steps[label] ?? 0) >= nth) struck.add(label)
        }
        return true
      })
      expect(totals.faults["process_crashed"] ?? 0).toBeGreaterThanOrEqual(struck.size)
      expect({ broken: totals.broken, failed: totals.failed }).toEqual({ broken: [], failed: [] })
      return struck
    }

    beforeAll(async () => {
      const known = new Map<number, ReadonlyArray<string>>()
      await threads.run(
        SEEDS.map((seed) => ({ seed, intents: INTENTS, faults })),
        (done) => {
          if (done.type === "report") known.set(done.report.seed, Object.keys(done.report.steps))
          return true
        },
      )
      for (const seed of SEEDS) labels.set(seed, known.get(seed) ?? [])
    }, patience)

    test("comes by every step of every verb that a world plays", () => {
      const all = new Set([...labels.values()].flat())
      for (const verb of [
        "POST /v1/payment-intents",
        "POST /v1/payments/one-time",
        "POST /v1/payment-intents/{id}/capture",
        "POST /v1/payment-intents/{id}/void",
        "POST /v1/refunds",
        "callback",
        "due payment_intent",
        "due channel_request",
        "due event",
        "due delivery",
        "due revocation",
      ]) {
        const own = [...all].filter((label) => new RegExp(`^${verb} \\d`).test(label))
        expect(own, verb).not.toEqual([])
        const asks = (what: string) => own.some((label) => label.endsWith(what))
        expect(asks("commit: before") && asks("commit: after"), verb).toBe(true)
      }
      expect(all.size).toBeGreaterThan(200)
    })

    test(
      "leaves every invariant whole, whatever step it crashes at",
      async () => {
        const left = new Map(
          [...labels]
            .toReversed()
            .flatMap(([seed, known]) => known.map((label) => [label, seed] as const)),
        )
        // A crash may keep its world from another one's step, which is tried again with fewer.
        for (const together of [TOGETHER, 2, 1]) {
          const struck = await perform(worldsThatCrash(left, together))
          for (const label of struck) left.delete(label)
        }
        expect([...left.keys()]).toEqual([])
      },
      patience,
    )

    test(
      "leaves every invariant whole, whatever two steps it crashes at",
      async () => {
        const worlds = Array.from({ length: PAIRS }, (_, n): SentOptions => {
          const seed = SEEDS[n % SEEDS.length] ?? 1
          const chance = makeChance(`pair ${n}`)
          const [first = "", ...others] = labels.get(seed) ?? []
          const point = () => ({ label: chance.pick([first, ...others]), nth: chance.int(1, 3) })
          return { seed, intents: INTENTS, faults, crashes: [point(), point()] }
        })
        expect((await perform(worlds)).size).toBeGreaterThan(PAIRS / 2)
      },
      patience,
    )
  })
}
