import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { type EventConsumer, EventConsumers } from "../../../core/ports/EventConsumers.ts"
import type { Ids } from "../../../core/ports/Ids.ts"
import { Store } from "../../../core/ports/Store.ts"
import { consumeEvent } from "../../../core/webhooks/consumers/consumeEvent.ts"
import { failed, passedOn, withEvent, without } from "../../../core/webhooks/consumers/Feed.ts"
import { nameConsumers } from "../../../core/webhooks/consumers/nameConsumers.ts"
import { dispatchEvent } from "../../../core/webhooks/deliveries/dispatchEvent.ts"
import { type Lane, makeLanes } from "../../../core/work/lanes.ts"
import { SECOND } from "../../../core/shared/Timestamp.ts"
import { aFeed, anEvent, anIntent, id, refundIn, T0 } from "../../support/records.ts"
import { claim, world } from "./deliveryWorld.ts"

describe("a feed", () => {
  it("keeps its events in the order of their ids, each once, and when it is due", () => {
    const [feed, early, late] = [
      aFeed({ n: 2, due_at: T0 + 9 }),
      anEvent({ n: 1 }),
      anEvent({ n: 3 }),
    ]
    const full = [late, early, late].reduce(withEvent, feed)
    expect(full).toEqual({ ...feed, waiting: [1, 2, 3].map((n) => id("evt", n)) })
  })

  it("waits longer after each failure, up to an hour", () => {
    const waits = [1, 5, 30, 120, 600, 3_600, 3_600]
    let feed = aFeed()
    for (const [n, seconds] of waits.entries()) {
      feed = failed(feed, T0)
      expect(feed).toMatchObject({ failures: n + 1, due_at: T0 + seconds * SECOND })
    }
  })

  it("is left longer to others the longer nobody has its consumer, up to five minutes", () => {
    const waits = [1, 4, 60, 3_600].map((age) => {
      const { due_at } = passedOn(aFeed({ created_at: T0 }), T0 + age * SECOND)
      return (due_at ?? 0) / SECOND - T0 / SECOND - age
    })
    expect(waits).toEqual([1, 1, 15, 300])
  })

  it("goes on at once with what waited behind, and is over when nothing does", () => {
    const feed = withEvent(failed(aFeed(), T0), anEvent({ n: 2 }))
    const rest = without(feed, id("evt", 1), T0 + 5)
    expect(rest).toMatchObject({ waiting: [id("evt", 2)], failures: 0, due_at: T0 + 5 })
    expect(rest && without(rest, id("evt", 2), T0 + 6)).toBeUndefined()
  })
})

describe("a consumer", () => {
  const consumers = (consume: EventConsumer, name = "orders") =>
    Effect.provideService(EventConsumers, new Map([[name, consume]]))

  const told = Effect.gen(function* () {
    yield* TestClock.setTime(T0)
    yield* nameConsumers(["orders"])
    for (const event of yield* claim("event")) yield* dispatchEvent(event)
    const [feed] = yield* claim("feed")
    return feed!
  })

  /** The store as a process sees it that has not heard yet of the latest consumer. */
  const late = (names: ReadonlyArray<string>) =>
    Effect.map(Store, (store) => {
      let isLate = true
      const find: typeof store.find = (kind, id) =>
        Effect.map(store.find(kind, id), (found) => {
          if (kind !== "consumer_list" || found === undefined || !isLate) return found
          isLate = false
          return { ...found, names, version: found.version - 1 }
        })
      return Store.of({ ...store, find })
    })

  it.effect("gets an event that is dispatched by a process that knows it a moment later", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      yield* nameConsumers(["bills"])
      yield* nameConsumers(["orders"])
      const store = yield* late(["bills"])
      const [event] = yield* claim("event")
      yield* Effect.provideService(dispatchEvent(event!), Store, store)
      const feeds = yield* claim("feed")
      expect(feeds.map(({ consumer }) => consumer).toSorted()).toEqual(["bills", "orders"])
    }).pipe(Effect.provide(world)),
  )

  it.effect.each([
    ["knows others", []],
    ["knows none", undefined],
  ] as const)("keeps its feed from a process that still %s", ([, names]) =>
    Effect.gen(function* () {
      const feed = yield* told
      const known = yield* Store
      const store =
        names === undefined
          ? Store.of({ ...known, find: () => Effect.undefined })
          : yield* late(names)
      const consumed = consumers(() => Effect.void)(consumeEvent(feed))
      yield* Effect.exit(Effect.provideService(consumed, Store, store))
      expect(yield* known.find("feed", feed.id)).toMatchObject({ waiting: feed.waiting })
    }).pipe(Effect.provide(world)),
  )

  it.effect("that hangs is given up after eight seconds, and told again", () =>
    Effect.gen(function* () {
      const feed = yield* told
      const working = yield* Effect.forkChild(consumers(() => Effect.never)(consumeEvent(feed)))
      yield* TestClock.adjust(8 * SECOND)
      yield* Fiber.join(working)
      const store = yield* Store
      const after = yield* store.find("feed", feed.id)
      expect(after).toMatchObject({ failures: 1, due_at: T0 + 9 * SECOND })
    }).pipe(Effect.provide(world)),
  )

  it.effect("is not told of an event before another that is still to be dispatched", () =>
    Effect.gen(function* () {
      const feed = yield* told
      const store = yield* Store
      const early = anEvent({ n: 0, subject_id: feed.about, due_at: T0 })
      yield* store.commit({ writes: [], events: [early] })
      yield* consumers(() => Effect.die("too early"))(consumeEvent(feed))
      const after = yield* store.find("feed", feed.id)
      expect(after).toMatchObject({ failures: 0, waiting: feed.waiting, due_at: T0 + 100 })
    }).pipe(Effect.provide(world)),
  )

  it.effect("is not told of it either once much else has happened to the same", () =>
    Effect.gen(function* () {
      const feed = yield* told
      const store = yield* Store
      const early = anEvent({ n: 0, subject_id: feed.about, due_at: T0 })
      const later = Array.from({ length: 60 }, (_, n) =>
        anEvent({ n: 100 + n, subject_id: feed.about, due_at: null }),
      )
      yield* store.commit({ writes: [], events: [early, ...later] })
      yield* consumers(() => Effect.die("too early"))(consumeEvent(feed))
      expect(yield* store.find("feed", feed.id)).toMatchObject({ failures: 0, due_at: T0 + 100 })
    }).pipe(Effect.provide(world)),
  )

  it.effect("is not told of an event before that of another refund of the same payment", () =>
    Effect.gen(function* () {
      const feed = yield* told
      const store = yield* Store
      const refund = refundIn("pending", { payment_intent: feed.about })
      const early = anEvent({ n: 0, subject_id: refund.id, due_at: T0 })
      const write = { op: "insert", kind: "refund", record: refund } as const
      yield* store.commit({ writes: [write], events: [early] })
      yield* consumers(() => Effect.die("too early"))(consumeEvent(feed))
      expect(yield* store.find("feed", feed.id)).toMatchObject({ failures: 0, due_at: T0 + 100 })
    }).pipe(Effect.provide(world)),
  )

  it.effect("is not told of an event before that of the invoice which the payment pays", () =>
    Effect.gen(function* () {
      const feed = yield* told
      const store = yield* Store
      const payment = anIntent({ n: 1, invoice: id("inv", 1) })
      expect(payment.id).toBe(feed.about)
      const early = anEvent({ n: 0, subject_id: id("inv", 1), due_at: T0 })
      const write = { op: "insert", kind: "payment_intent", record: payment } as const
      yield* store.commit({ writes: [write], events: [early] })
      yield* consumers(() => Effect.die("too early"))(consumeEvent(feed))
      expect(yield* store.find("feed", feed.id)).toMatchObject({ failures: 0, due_at: T0 + 100 })
    }).pipe(Effect.provide(world)),
  )

  it.effect("leaves to its feed what comes while it is at work", () =>
    Effect.gen(function* () {
      const feed = yield* told
      const store = yield* Store
      const late = anEvent({ n: 7, subject_id: feed.about, due_at: T0 })
      const context = yield* Effect.context<Store | Ids>()
      const consume = () =>
        Effect.gen(function* () {
          yield* store.commit({ writes: [], events: [late] })
          for (const event of yield* claim("event")) yield* dispatchEvent(event)
          expect(yield* claim("feed")).toEqual([])
        }).pipe(Effect.provideContext(context))
      yield* consumers(consume)(consumeEvent(feed))
      const after = yield* store.find("feed", feed.id)
      expect(after).toMatchObject({ waiting: [late.id], due_at: T0 })
    }).pipe(Effect.provide(world)),
  )

  it.effect("costs one read for all events of a claim while there is none", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const known = yield* Store
      const more = Array.from({ length: 9 }, (_, n) => anEvent({ n: n + 2, due_at: T0 }))
      yield* known.commit({ writes: [], events: more })
      let lists = 0
      const find: typeof known.find = (kind, name) => {
        if (kind === "consumer_list") lists += 1
        return known.find(kind, name)
      }
      const lane = makeLanes().find(({ kind }) => kind === "event") as Lane<Store | Ids>
      const working = Effect.gen(function* () {
        const jobs = yield* lane.claim(T0, 50)
        expect(jobs).toHaveLength(10)
        expect(lists).toBe(0)
        yield* Effect.all(jobs, { concurrency: "unbounded" })
      })
      yield* Effect.provideService(working, Store, Store.of({ ...known, find }))
      expect(lists).toBe(1)
      expect(yield* claim("event")).toEqual([])
    }).pipe(Effect.provide(world)),
  )

  it.effect("that hangs keeps half of the hands from no other", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      yield* nameConsumers(["slow", "quick"])
      const store = yield* Store
      const slow = Array.from({ length: 40 }, (_, n) => aFeed({ n: n + 2, consumer: "slow" }))
      const feeds = [...slow, aFeed({ n: 50, consumer: "quick" })]
      const events = feeds.map((_, n) => anEvent({ n: n + 2, due_at: null }))
      const last = anEvent({ n: 50, due_at: null })
      const writes = feeds.map((record) => ({ op: "insert", kind: "feed", record }) as const)
      yield* store.commit({ writes, events: [...events.slice(0, 40), last] })
      const begun: Array<string> = []
      const hanging = new Map<string, EventConsumer>([
        [
          "slow",
          (event) =>
            Effect.andThen(
              Effect.sync(() => begun.push(event.id)),
              Effect.never,
            ),
        ],
        ["quick", (event) => Effect.sync(() => void begun.push(event.id))],
      ])
      const lane = makeLanes().find(({ kind }) => kind === "feed") as Lane<Store>
      const jobs = yield* Effect.provideService(lane.claim(T0, 50), EventConsumers, hanging)
      expect(jobs).toHaveLength(41)
      const all = Effect.all(jobs, { concurrency: "unbounded" })
      const working = yield* Effect.forkChild(Effect.provideService(all, EventConsumers, hanging))
      yield* TestClock.adjust(8 * SECOND)
      yield* Fiber.join(working)
      expect(begun).toContain(last.id)
      expect(begun).toHaveLength(17)
    }).pipe(Effect.provide(world)),
  )

  it.effect("of another process is left to that", () =>
    Effect.gen(function* () {
      const feed = yield* told
      yield* consumers(() => Effect.void, "books")(consumeEvent(feed))
      const after = yield* (yield* Store).find("feed", feed.id)
      expect(after).toMatchObject({ failures: 0, due_at: T0 + SECOND })
    }).pipe(Effect.provide(world)),
  )
})
