import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { ClockMovedFrom } from "../../../core/listings/ProbeInterval.ts"
import { noteListing } from "../../../core/listings/noteListing.ts"
import { probeListing } from "../../../core/listings/probeListing.ts"
import { ReceiverAddress } from "../../../core/ports/ReceiverAddress.ts"
import { type ProbeAnswer, ResourceProbe } from "../../../core/ports/ResourceProbe.ts"
import { Store } from "../../../core/ports/Store.ts"
import { DAY, HOUR, MINUTE } from "../../../core/shared/Timestamp.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { aListing, aService, id, T0, uuid } from "../../support/records.ts"
import { as, seed, seller } from "../../support/world.ts"
import { workWorld } from "../work/workWorld.ts"

const GONE: ProbeAnswer = { type: "silent", reason: "timeout" }

/** A resource that answers so, and how often it was asked. */
const resource = (answer: ProbeAnswer = GONE) => {
  let asked = 0
  const ask = () =>
    Effect.andThen(
      Effect.yieldNow,
      Effect.sync(() => {
        asked += 1
        return answer
      }),
    )
  return { asked: () => asked, probe: { ask } }
}

const listed = Effect.fnUntraced(function* (said: Parameters<typeof aListing>[0] = {}) {
  const record = aListing({ account_id: seller.id, due_at: T0, ...said })
  yield* (yield* Store).commit({ writes: [{ op: "insert", kind: "listing", record }] })
})

const stored = Effect.gen(function* () {
  return yield* (yield* Store).find("listing", id("lst", 1))
})

describe("a worker", () => {
  it.effect("asks a resource once, however many workers there are", () => {
    const { asked, probe } = resource()
    return Effect.gen(function* () {
      yield* seed()
      yield* listed()
      yield* Effect.all([runDue(), runDue(), runDue()], { concurrency: "unbounded" })
      expect(asked()).toBe(1)
      expect(yield* stored).toMatchObject({ standing: "silent", due_at: T0 + MINUTE })
      yield* runDue()
      expect(asked()).toBe(1)
    }).pipe(Effect.provideService(ResourceProbe, probe), Effect.provide(workWorld({})))
  })

  it.effect("writes nothing over what was changed while it asked", () => {
    const { probe } = resource()
    return Effect.gen(function* () {
      yield* seed()
      yield* listed()
      const [claimed] = yield* (yield* Store).claimDue("listing", T0, { limit: 1, lease: MINUTE })
      if (claimed === undefined) throw new Error("Nothing is due.")
      const changed = { ...claimed, paid: { currency: "USD", value: 40 } }
      const replace = { op: "replace", kind: "listing", record: changed } as const
      yield* (yield* Store).commit({ writes: [replace] })
      expect(yield* Effect.flip(probeListing(claimed))).toMatchObject({ _tag: "Conflict" })
      expect(yield* stored).toMatchObject({ standing: "live", paid: changed.paid })
    }).pipe(Effect.provideService(ResourceProbe, probe), Effect.provide(workWorld({})))
  })

  it.effect("forgets what is of a deleted service, without asking", () => {
    const { asked, probe } = resource()
    return Effect.gen(function* () {
      yield* seed({ status: "deleted", deprecated_at: T0, deleted_at: T0 })
      yield* listed()
      yield* runDue()
      expect([asked(), yield* stored]).toEqual([0, undefined])
    }).pipe(Effect.provideService(ResourceProbe, probe), Effect.provide(workWorld({})))
  })

  it.effect("asks once while the clock is moved, and lets the rest pass by what it heard", () => {
    const { asked, probe } = resource()
    return Effect.gen(function* () {
      yield* seed()
      yield* listed({ probed_at: T0 - HOUR })
      yield* runDue()
      for (let day = 1; day < 14; day++) {
        yield* TestClock.setTime(T0 + day * DAY)
        yield* runDue()
      }
      expect(yield* stored).toMatchObject({ standing: "silent", since: T0 })
      yield* TestClock.setTime(T0 + 14 * DAY)
      yield* runDue()
      expect([asked(), yield* stored]).toEqual([1, undefined])
    }).pipe(
      Effect.provideService(ClockMovedFrom, T0 - MINUTE),
      Effect.provideService(ResourceProbe, probe),
      Effect.provide(workWorld({})),
    )
  })
})

describe("a payment of a resource that may be listed", () => {
  const sold = {
    service_id: uuid(1),
    amount: { currency: "USD", value: 25 },
    url: "https://shop.example/reports/7?mail=somebody",
    template: "/reports/:id",
    method: "GET",
  } as const
  const all = Effect.gen(function* () {
    return yield* (yield* Store).list("listing", { by: { account_id: seller.id } })
  })
  const note = (said: Partial<typeof sold> = {}) => noteListing(as(seller), { ...sold, ...said })

  it.effect("lists it once, however many are made at once", () =>
    Effect.gen(function* () {
      yield* seed()
      const payments = Array.from({ length: 8 }, (_, n) =>
        note({ url: `https://shop.example/reports/${n}` as never }),
      )
      yield* Effect.all(payments, { concurrency: "unbounded" })
      expect(yield* all).toMatchObject([
        { resource: "https://shop.example/reports/:id", standing: "unproven", place: 1 },
      ])
      const [before] = yield* all
      yield* TestClock.setTime(T0 + HOUR - 1)
      yield* note()
      expect((yield* all)[0]?.version).toBe(before?.version)
    }).pipe(
      Effect.provideService(ReceiverAddress, { check: () => undefined }),
      Effect.provide(workWorld({})),
    ),
  )

  it.effect("lists nothing where nobody can be asked, and never fails", () =>
    Effect.gen(function* () {
      yield* seed()
      yield* note()
      yield* note({ url: "GET /reports/7" as never })
      expect(yield* all).toEqual([])
    }).pipe(
      Effect.provideService(ReceiverAddress, { check: () => "must be somewhere else" }),
      Effect.provide(workWorld({})),
    ),
  )

  it.effect("lists nothing where the account's plan has no room", () =>
    Effect.gen(function* () {
      yield* seed()
      const store = yield* Store
      for (let n = 1; n <= 50; n++) {
        yield* store.commit({
          writes: [
            {
              op: "insert",
              kind: "listing",
              record: aListing({ n, account_id: seller.id, service_id: aService({ n }).id }),
            },
          ],
        })
      }
      yield* note()
      expect(yield* all).toHaveLength(50)
    }).pipe(
      Effect.provideService(ReceiverAddress, { check: () => undefined }),
      Effect.provide(workWorld({})),
    ),
  )
})
