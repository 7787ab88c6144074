import { expect, it } from "@effect/vitest"
import { Cause, Clock, Context, Effect, Layer, Logger, Metric } from "effect"
import { TestClock } from "effect/testing"
import { failureOf } from "../../../adapters/shared/failureOf.ts"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import { ReferenceClock } from "../../../core/ports/ReferenceClock.ts"
import { Store, StoreUnavailable } from "../../../core/ports/Store.ts"
import { WallClock } from "../../../core/ports/WallClock.ts"
import { MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { LEASE } from "../../../core/work/lanes.ts"
import { guardedBy, guardedStore } from "../../../core/work/guardedStore.ts"
import { aDelivery, anAccount, T0 } from "../../support/records.ts"

/** A process whose clock is `ahead` of its database's. The database may not answer the time. */
const makeProcess = (store: Layer.Layer<Store> = MemoryStore.layer) => {
  const state = { ahead: 0, tells: true, lines: new Array<string>() }
  const now = Effect.clockWith((clock) => clock.currentTimeMillis)
  const reference = Effect.suspend(() =>
    state.tells ? now : new StoreUnavailable({ outcome: "not_stored", cause: "away" }),
  )
  const wall = Effect.map(now, (millis) => millis + state.ahead)
  const ports = Layer.mergeAll(
    store,
    Layer.succeed(ReferenceClock, { now: reference }),
    Layer.succeed(WallClock, { now: wall }),
    Logger.layer([Logger.make(({ message }) => void state.lines.push(String(message)))]),
  )
  return { state, layer: Layer.provide(guardedStore, ports).pipe(Layer.provideMerge(ports)) }
}

const account = anAccount()
const claims = Effect.flatMap(Store, (store) =>
  store.claimDue("delivery", T0, { limit: 1, lease: SECOND }),
)
const refusalOf = <E>(self: Effect.Effect<unknown, E, Store>) =>
  Effect.map(Effect.flip(self), (lost) => failureOf(Cause.fail(lost)).message)

it.effect(
  "a process whose clock is wrong uses the store for nothing, from the first moment",
  () => {
    const { layer, state } = makeProcess()
    return Effect.gen(function* () {
      const store = yield* Store
      const insert = store.commit({ writes: [{ op: "insert", kind: "account", record: account }] })
      state.ahead = 16 * MINUTE
      const ahead = "This process's clock is 16 min 0 s ahead of the database's."
      const message = `${ahead} Repeat the request in a second.`
      expect(yield* refusalOf(claims)).toBe(message)
      expect(yield* refusalOf(insert)).toBe(message)
      expect(yield* refusalOf(store.ping())).toBe(message)
      state.ahead = -31 * SECOND
      expect(yield* refusalOf(store.find("account", account.id))).toContain("31 s behind")
      state.ahead = 30 * SECOND
      // A decision made just before is not stored, either.
      expect(yield* refusalOf(insert)).toContain("31 s behind")
      yield* TestClock.adjust(10 * SECOND)
      yield* insert
      expect(yield* claims).toEqual([])
    }).pipe(Effect.provide(layer))
  },
)

it.effect("it says so at once and at every comparison, until its clock is right again", () => {
  const { layer, state } = makeProcess()
  return Effect.gen(function* () {
    const gauge = Metric.gauge("payport_clock_offset_seconds", {
      description: "How far this process's clock is ahead of the database's; negative behind it.",
    })
    const said = Effect.fnUntraced(function* (ahead: number) {
      state.ahead = ahead
      state.lines = []
      yield* TestClock.adjust(SECOND)
      expect(yield* Metric.value(gauge)).toEqual({ value: ahead / SECOND })
      return state.lines
    })
    expect(yield* said(2 * SECOND)).toEqual([])
    expect(yield* said(-3 * SECOND)).toEqual(["This process's clock is 3 s behind the database's."])
    const wrong =
      "This process's clock is 40 s ahead of the database's. " +
      "It stops all work until its clock is right."
    expect(yield* said(40 * SECOND)).toEqual([wrong])
    expect(yield* said(40 * SECOND)).toEqual([])
    yield* TestClock.adjust(6 * SECOND)
    expect(state.lines).toEqual([wrong])
    expect(yield* said(0)).toEqual(["This process's clock is right again."])
    expect(yield* said(0)).toEqual([])
  }).pipe(Effect.provide(layer))
})

it.effect("a database that does not tell the time leaves what is known of it", () => {
  const { layer, state } = makeProcess()
  return Effect.gen(function* () {
    yield* Store
    state.tells = false
    yield* TestClock.adjust(MINUTE)
    expect(yield* claims).toEqual([])
    state.ahead = MINUTE
    expect(yield* refusalOf(claims)).toContain("1 min 0 s ahead")
  }).pipe(Effect.provide(layer))
})

it.effect("a process does not begin with a clock that is wrong", () => {
  const { layer, state } = makeProcess()
  state.ahead = -MINUTE
  return Effect.gen(function* () {
    const { message } = yield* Effect.flip(Effect.scoped(Layer.build(layer)))
    expect(message).toBe("This process's clock is 1 min 0 s behind the database's.")
  })
})

it.effect("of two processes whose clocks differ one holds due work, until its lease ends", () =>
  Effect.gen(function* () {
    const shared = Layer.succeed(Store, yield* Store)
    const open = Effect.fnUntraced(function* (ahead: number) {
      const { layer, state } = makeProcess(shared)
      state.ahead = ahead
      const store = Context.get(yield* Layer.build(layer), Store)
      return Effect.gen(function* () {
        const now = (yield* Clock.currentTimeMillis) + ahead
        return yield* store.claimDue("delivery", now, { limit: 1, lease: LEASE })
      })
    })
    yield* TestClock.setTime(T0)
    const slow = yield* open(-29 * SECOND)
    const fast = yield* open(29 * SECOND)
    const record = aDelivery({ due_at: T0 - MINUTE })
    const insert = { op: "insert", kind: "delivery", record } as const
    yield* (yield* Store).commit({ writes: [insert] })
    expect(yield* slow).toHaveLength(1)
    yield* TestClock.adjust(LEASE - 1)
    expect(yield* fast).toEqual([])
    yield* TestClock.adjust(1)
    expect(yield* fast).toHaveLength(1)
    yield* TestClock.adjust(LEASE - 1)
    expect(yield* slow).toEqual([])
  }).pipe(Effect.scoped, Effect.provide(MemoryStore.layer)),
)

it.effect("a store that is an instance of a class is guarded, too", () =>
  Effect.gen(function* () {
    class Own {
      readonly #answer = "pong"
      ping() {
        return Effect.succeed(this.#answer)
      }
    }
    const own = new Own() as unknown as Store["Service"]
    let asked = 0
    const counted = guardedBy(own, (ask) => Effect.suspend(() => ((asked += 1), ask())))
    expect([yield* counted.ping(), asked]).toEqual(["pong", 1])
  }),
)
