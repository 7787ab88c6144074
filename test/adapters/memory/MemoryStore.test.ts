import { expect, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { describe } from "vitest"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import { Store } from "../../../core/ports/Store.ts"
import { storeContract } from "../../../apps/payport/testing/storeContract.ts"
import { insert, tryCommit, upTo } from "../../../apps/payport/testing/store/probe.ts"
import { anIntent, id, T0 } from "../../support/records.ts"
import { runContract } from "../../support/runContract.ts"

runContract("memory: the store", storeContract({ open: () => MemoryStore.layer }))

const withStore = <A, E>(effect: Effect.Effect<A, E, Store>) =>
  Effect.runSync(Effect.provide(effect, MemoryStore.layer))

describe("the memory store", () => {
  it("does everything within one synchronous run", () => {
    const found = withStore(
      Effect.gen(function* () {
        const port = yield* Store
        yield* port.commit({ writes: [insert("payment_intent", anIntent())] })
        const claimed = yield* port.claimDue("payment_intent", T0 * 2, { limit: 1, lease: 1 })
        return { claimed, stored: yield* port.find("payment_intent", id("pi", 1)) }
      }),
    )
    expect(found.claimed).toStrictEqual([found.stored])
  })

  it("refuses a commit that writes a record twice", () => {
    const write = insert("payment_intent", anIntent())
    expect(withStore(tryCommit({ writes: [write, write] }))).toMatchObject({
      type: "stale_version",
      id: id("pi", 1),
    })
  })

  it("takes a new record of another version than 1 for a mistake in the program", () => {
    const second = { writes: [insert("payment_intent", anIntent({ version: 2 }))] }
    expect(() => withStore(tryCommit(second))).toThrow(RangeError)
    const exit = withStore(Effect.exit(tryCommit(second)))
    expect(Exit.hasDies(exit)).toBe(true)
  })

  it("gives every build a store of its own", () => {
    const write = { writes: [insert("payment_intent", anIntent())] }
    expect([1, 2].map(() => withStore(tryCommit(write)))).toStrictEqual([undefined, undefined])
  })

  it("stays quick with 20,000 intents of one account that end in any order", () => {
    const count = 20_000
    const left = withStore(
      Effect.gen(function* () {
        const port = yield* Store
        for (const n of upTo(count)) {
          const expires_at = T0 + ((n * 7919) % count)
          yield* port.commit({ writes: [insert("payment_intent", anIntent({ n, expires_at }))] })
        }
        const times: Array<number> = []
        while (true) {
          const batch = yield* port.claimDue("payment_intent", T0 + count, { limit: 100, lease: 9 })
          if (batch.length === 0) return { times, next: yield* port.nextDueAt() }
          for (const intent of batch) {
            times.push(intent.expires_at)
            yield* port.commit({
              writes: [{ op: "remove", kind: "payment_intent", record: intent }],
            })
          }
        }
      }),
    )
    expect(left).toStrictEqual({ times: upTo(count).map((n) => T0 + n - 1), next: undefined })
  })
})
