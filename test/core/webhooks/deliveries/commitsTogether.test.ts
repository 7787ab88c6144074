import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer } from "effect"
import * as MemoryStore from "../../../../adapters/memory/MemoryStore.ts"
import type { Commit } from "../../../../core/commits/Commit.ts"
import { Conflict, Store, StoreUnavailable } from "../../../../core/ports/Store.ts"
import { CommitsTogether } from "../../../../core/webhooks/deliveries/commitsTogether.ts"
import { anEvent, id } from "../../../support/records.ts"

/** A commit that writes something to an account's log, and rests on an endpoint. */
const telling = (number: number, version = 1): Commit => ({
  writes: [],
  events: [anEvent({ id: id("evt", number) })],
  guards: [{ kind: "endpoint", id: id("we", 1), version }],
})

const numbersOf = ({ events = [] }: Commit): ReadonlyArray<string> =>
  events.map((event) => event.id)

const conflict = new Conflict({
  reason: { type: "stale_version", kind: "endpoint", id: id("we", 1) },
})

/** A store whose first commit waits for the test, and the commits that it received. */
const slowly = (
  decide: (commit: Commit) => Effect.Effect<void, Conflict | StoreUnavailable> = () => Effect.void,
) =>
  Effect.gen(function* () {
    const store = yield* Store
    const release = yield* Deferred.make<void>()
    const asked: Array<Commit> = []
    const commit = (wanted: Commit) =>
      Effect.suspend(() => {
        asked.push(wanted)
        const decided = Effect.suspend(() => decide(wanted))
        return asked.length === 1 ? Effect.andThen(Deferred.await(release), decided) : decided
      })
    return { asked, layer: Layer.succeed(Store, { ...store, commit }), release }
  })

/**
 * Begins the commits one after the other, with the first one held up, and waits until all have
 * ended.
 */
const storeAll = (
  commits: ReadonlyArray<Commit>,
  decide?: (commit: Commit) => Effect.Effect<void, Conflict | StoreUnavailable>,
) =>
  Effect.gen(function* () {
    const { asked, layer, release } = yield* slowly(decide)
    const together = new CommitsTogether()
    const fibers = yield* Effect.forEach(commits, (commit) =>
      Effect.forkChild(Effect.provide(together.commit(commit), layer), { startImmediately: true }),
    )
    yield* Deferred.succeed(release, undefined)
    return { asked, ends: yield* Effect.forEach(fibers, Fiber.await) }
  }).pipe(Effect.provide(MemoryStore.layer))

describe("commits that are stored together", () => {
  it.effect("leave as one with those that came while one was on its way", () =>
    Effect.gen(function* () {
      const { asked, ends } = yield* storeAll([1, 2, 3, 4].map((number) => telling(number)))
      expect(asked.map(numbersOf)).toEqual([
        [id("evt", 1)],
        [2, 3, 4].map((number) => id("evt", number)),
      ])
      expect(asked.map(({ guards }) => guards?.length)).toEqual([1, 1])
      expect(ends.every(Exit.isSuccess)).toBe(true)
    }),
  )

  it.effect("are at most 128", () =>
    Effect.gen(function* () {
      const commits = Array.from({ length: 300 }, (_, number) => telling(number))
      const { asked } = yield* storeAll(commits)
      expect(asked.map((one) => numbersOf(one).length)).toEqual([1, 128, 128, 43])
      expect(new Set(asked.flatMap(numbersOf)).size).toBe(300)
    }),
  )

  it.effect("fail each by itself: what is refused of several is stored one by one", () =>
    Effect.gen(function* () {
      const commits = [telling(1), telling(2), telling(3, 9), telling(4)]
      const { asked, ends } = yield* storeAll(commits, ({ guards = [] }) =>
        guards.some(({ version }) => version === 9) ? Effect.fail(conflict) : Effect.void,
      )
      expect(ends.map(Exit.isSuccess)).toEqual([true, true, false, true])
      expect(ends[2]).toEqual(Exit.fail(conflict))
      expect(asked.map((one) => numbersOf(one).length)).toEqual([1, 3, 1, 1, 1])
    }),
  )

  it.effect("are kept from what one of them ends by", () =>
    Effect.gen(function* () {
      const { ends } = yield* storeAll([telling(1), telling(2, 9), telling(3)], ({ guards = [] }) =>
        guards.some(({ version }) => version === 9) ? Effect.die("impossible") : Effect.void,
      )
      expect(ends.map(Exit.isSuccess)).toEqual([true, false, true])
    }),
  )

  it.effect("are not sent again where nobody knows what became of them", () =>
    Effect.gen(function* () {
      const lost = new StoreUnavailable({ outcome: "unknown", cause: new Error("gone") })
      const { asked, ends } = yield* storeAll([telling(1), telling(2), telling(3)], (commit) =>
        numbersOf(commit).length > 1 ? Effect.fail(lost) : Effect.void,
      )
      expect(asked).toHaveLength(2)
      expect(ends).toEqual([Exit.void, Exit.fail(lost), Exit.fail(lost)])
    }),
  )

  it.effect("go on without one whose caller has left", () =>
    Effect.gen(function* () {
      const { asked, layer, release } = yield* slowly()
      const together = new CommitsTogether()
      const begin = (number: number) =>
        Effect.forkChild(Effect.provide(together.commit(telling(number)), layer), {
          startImmediately: true,
        })
      const first = yield* begin(1)
      const left = yield* begin(2)
      const third = yield* begin(3)
      yield* Fiber.interrupt(left)
      yield* Deferred.succeed(release, undefined)
      yield* Effect.forEach([first, third], Fiber.join)
      expect(asked.map(numbersOf)).toEqual([[id("evt", 1)], [id("evt", 3)]])
      yield* Fiber.join(yield* begin(4))
      expect(asked).toHaveLength(3)
    }).pipe(Effect.provide(MemoryStore.layer)),
  )
})
