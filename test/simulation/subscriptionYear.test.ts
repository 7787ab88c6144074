import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Commit, Store } from "../../core/ports/Store.ts"
import { makeScript } from "../support/scriptedChannels.ts"
import { world } from "../support/world.ts"
import { playYear } from "./subscriptionYear.ts"

type StoreService = Store["Service"]

const SEEDS = [1, 2]

const storing = (change: (commit: Commit) => Commit) => (store: StoreService) => ({
  ...store,
  commit: (commit: Commit) => store.commit(change(commit)),
})

/** Deliberate flaws, and the rule that has to notice each in one of the seeds. */
const flaws = [
  {
    name: "what was used is summed up without the last report",
    rule: "use exactly once",
    alter: (store: StoreService): StoreService => ({
      ...store,
      sumUsage: (...asked) =>
        Effect.map(store.sumUsage(...asked), (sum) =>
          sum.records > 1 ? { ...sum, quantity: "0.25" } : sum,
        ),
    }),
  },
  {
    name: "a renewal loses its invoice",
    rule: "one invoice a cycle",
    alter: storing((commit) => ({
      ...commit,
      writes: commit.writes.filter(
        (write) =>
          write.kind !== "invoice" || write.op !== "insert" || write.record.period % 5 !== 3,
      ),
    })),
  },
  {
    name: "a payment does not mark its invoice paid",
    rule: "paid by one payment",
    alter: storing((commit) => ({
      ...commit,
      writes: commit.writes.filter(
        (write) => write.kind !== "invoice" || write.record.status !== "paid",
      ),
    })),
  },
]

describe("a year of subscriptions and use, with lost answers and workers that are away", () => {
  it.effect(
    "breaks no rule",
    () =>
      Effect.gen(function* () {
        const year = yield* playYear(3, 365)
        expect(year.broken).toStrictEqual([])
        expect(year.invoices).toBeGreaterThan(100)
        expect(year.used).toBeGreaterThan(300)
        expect(year.statuses).toContain("paid")
        expect(year.statuses).toContain("void")
      }).pipe(Effect.provide(world(makeScript()))),
    120_000,
  )

  it.effect(
    "breaks no rule where an install pays, and its channel loses what it hears and says",
    () =>
      Effect.gen(function* () {
        for (const seed of [3, 4]) {
          const script = makeScript()
          const play = playYear(seed, 180, undefined, script)
          const year = yield* Effect.provide(play, world(script))
          expect(year.broken).toStrictEqual([])
          expect(year.charged).toBeGreaterThan(30)
        }
      }),
    240_000,
  )

  for (const { alter, name, rule } of flaws) {
    it.effect(
      `notices that ${name}`,
      () =>
        Effect.gen(function* () {
          const noticed: Array<string> = []
          for (const seed of SEEDS) {
            const year = yield* Effect.provide(playYear(seed, 60, alter), world(makeScript()))
            noticed.push(...year.broken)
            if (noticed.includes(rule)) break
          }
          expect(noticed).toContain(rule)
        }),
      120_000,
    )
  }
})
