import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { listLog } from "../../../core/accountLog/listLog.ts"
import { KnownUses } from "../../../core/accountLog/KnownUses.ts"
import { noteUse } from "../../../core/accountLog/noteUse.ts"
import { purgePeriods } from "../../../core/installs/purgePeriods.ts"
import { Store, StoreUnavailable } from "../../../core/ports/Store.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { buyer, seed, world } from "../../support/world.ts"

const KEY = "key_1"
const by = { account_id: buyer.id, actor: KEY }
const HOME = "192.0.2.1"

/** The log of the key, oldest first. */
const told = Effect.map(listLog(buyer.id, { limit: 100 }), ({ data }) =>
  data.toReversed().map(({ action, details }) => [action, details["group"], details["address"]]),
)

const use = (known: KnownUses, group: string, address?: string) =>
  noteUse(known, by, { group, address })

/** A store that can take nothing. */
const broken = Layer.effect(
  Store,
  Effect.map(Store, (store) => ({
    ...store,
    commit: () => Effect.fail(new StoreUnavailable({ outcome: "not_stored", cause: "disk full" })),
  })),
)

const inWorld = <A, E, R>(doing: Effect.Effect<A, E, R>) =>
  Effect.provide(doing, world(makeScript()))

describe("the first use of a key in a day", () => {
  it.effect("is told for each group of routes and address, once for all processes", () =>
    inWorld(
      Effect.gen(function* () {
        yield* seed()
        const [one, another] = [new KnownUses(), new KnownUses()]
        for (const known of [one, another, one]) {
          yield* use(known, "read", HOME)
          yield* use(known, "pay", HOME)
          yield* use(known, "read", "192.0.2.2")
          yield* use(known, "read")
        }
        const first = [
          ["api_key.seen", "read", HOME],
          ["api_key.seen", "pay", HOME],
          ["api_key.seen", "read", "192.0.2.2"],
          ["api_key.seen", "read", "unknown"],
        ]
        expect(yield* told).toEqual(first)
        yield* TestClock.adjust(DAY)
        yield* use(one, "read", HOME)
        expect(yield* told).toEqual([...first, first[0]])
      }),
    ),
  )

  it.effect("is told a hundred times at most, and its counters end", () =>
    inWorld(
      Effect.gen(function* () {
        yield* seed()
        const known = new KnownUses()
        for (let n = 0; n < 120; n++) yield* use(known, "read", `192.0.2.${n}`)
        expect(yield* told).toHaveLength(100)
        yield* TestClock.adjust(60 * DAY)
        expect(yield* purgePeriods()).toBe(101)
      }),
    ),
  )

  it.effect("is told the next time where the store could not take it", () =>
    inWorld(
      Effect.gen(function* () {
        yield* seed()
        const known = new KnownUses()
        yield* Effect.provide(use(known, "read", HOME), broken)
        expect(yield* told).toEqual([])
        yield* use(known, "read", HOME)
        expect(yield* told).toHaveLength(1)
      }),
    ),
  )
})
