import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { BlockBuilder } from "../../../adapters/postgres/search/BlockBuilder.ts"
import { writeBlock } from "../../../adapters/postgres/search/makeBlock.ts"
import { PIECE, sortInPieces } from "../../../adapters/postgres/search/sortInPieces.ts"
import { rankedInPieces } from "../../../adapters/postgres/search/rankedInPieces.ts"
import { aService, T0, uuid } from "../../../apps/payport/testing/records/index.ts"
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

/** Distinct words with few common beginnings, not in order. */
const manyWords = (count: number) =>
  Array.from({ length: count }, (_, n) => ((n * 7_919) % count).toString(36).padStart(4, "0"))

describe("making a block of many words", () => {
  it("sorts them in pieces", () => {
    const words = manyWords(5 * PIECE + 7)
    const sorting = sortInPieces(words)
    let pauses = 0
    let step = sorting.next()
    for (; step.done !== true; step = sorting.next()) pauses += 1
    expect(step.value).toEqual(words.toSorted())
    // Five runs, and at least two times all words are merged.
    expect(pauses).toBeGreaterThanOrEqual(15)
    for (const some of [[], ["b"], ["b", "a"]]) {
      expect(sortInPieces(some).next().value).toEqual(some.toSorted())
    }
  })

  it.live("lets other work go on, even if the database answers at once", () =>
    Effect.gen(function* () {
      const words = manyWords(40_000)
      const builder = new BlockBuilder()
      for (let n = 0; n < 80; n++) {
        const description = words.slice(n * 500, n * 500 + 500).join(" ")
        builder.add(aService({ n: n + 1, name: "Rain", description, created_at: T0 + n }))
      }
      const sent: Array<unknown> = []
      const ask = (_: string, parameters: ReadonlyArray<unknown>) =>
        Effect.sync(() => {
          sent.push(parameters[2])
          return [{ build: uuid(1) }]
        })
      const { turns } = yield* turnsDuring(writeBlock(ask, [uuid(1)], builder))
      expect(sent.length).toBeGreaterThan(40_000 / 256)
      // Ten runs, four times all words are merged, and all words are searched for beginnings.
      expect(turns).toBeGreaterThanOrEqual(40)
    }),
  )
})
