import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { rankedInPieces } from "../../../adapters/postgres/search/rankedInPieces.ts"
import { aService, T0 } from "../../../apps/payport/testing/records/index.ts"
import { searchPrefixes } from "../../../core/registry/SearchEntries.ts"
import { rankedOf } from "../../../core/registry/ServiceMatch.ts"

/** Counts the turns that other work gets while the effect runs. */
const turnsDuring = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const state = { isOver: false, turns: 0 }
    const count = () => {
      if (state.isOver) return
      state.turns += 1
      setImmediate(count)
    }
    setImmediate(count)
    const answer = yield* Effect.ensuring(
      effect,
      Effect.sync(() => (state.isOver = true)),
    )
    return { answer, turns: state.turns }
  })

describe("matching many manifests", () => {
  it.live("finds what it finds in one go, and lets other work go on", () =>
    Effect.gen(function* () {
      const services = Array.from({ length: 500 }, (_, n) =>
        aService({
          n: n + 1,
          name: n % 3 === 0 ? `Rain ${n}` : `Hail ${n}`,
          tags: n % 5 === 0 ? ["storm", "rain"] : ["storm"],
          status: n % 7 === 0 ? "deprecated" : "active",
          created_at: T0 + ((n * 7) % 61),
        }),
      )
      const search = { status: "active", viewer: "acct_x", limit: 9, offset: 0 } as const
      const asked = searchPrefixes("rai sto")
      const { answer, turns } = yield* turnsDuring(rankedInPieces(services, search, asked))
      expect(answer).toEqual(rankedOf(services, search, asked))
      expect(answer.length).toBeGreaterThan(100)
      expect(turns).toBeGreaterThanOrEqual(10)
    }),
  )
})
