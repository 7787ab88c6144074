import { Effect } from "effect"
import { expect, test } from "vitest"
import type { Kind } from "../../core/commits/Records.ts"
import type { Store } from "../../core/ports/Store.ts"
import { simulate } from "../../simulator/perform.ts"

type StoreService = Store["Service"]

const SEEDS = [1, 2, 3, 4, 5, 6]

/** Which kind a commit writes, and which other kind it guards. */
type Pattern = `${Kind} ${Kind}`

/**
 * A store that reads guards some time before it stores their commit, as a database may where
 * several processes write: what others change in between counts as later.
 */
const late =
  (seen: Set<Pattern>) =>
  (store: StoreService): StoreService => {
    let commits = 0
    return {
      ...store,
      commit: (one) =>
        Effect.gen(function* () {
          const { guards = [], writes } = one
          for (const { kind, id, version } of guards) {
            for (const written of writes) {
              if (written.kind !== kind) seen.add(`${written.kind} ${kind}`)
            }
            const found = yield* store.find(kind, id)
            if (found?.version !== version) return yield* store.commit(one)
          }
          commits += 1
          if (guards.length > 0) yield* Effect.sleep(5 + ((commits * 7_919) % 300))
          return yield* store.commit({ ...one, guards: [] })
        }),
    }
  }

test("worlds hold where guards are read before others write", () => {
  const seen = new Set<Pattern>()
  for (const seed of SEEDS) {
    const { violations } = simulate({ seed, intents: 11, alterations: { store: late(seen) } })
    expect(violations, `seed ${seed}`).toEqual([])
  }
  expect(seen).toContain("challenge payment_intent")
  const mutual = [...seen].filter((pattern) => {
    const [written, guarded] = pattern.split(" ") as [Kind, Kind]
    return seen.has(`${guarded} ${written}`)
  })
  expect(mutual, "each guards what the other writes: let one write both").toEqual([])
})
