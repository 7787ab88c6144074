import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { type ArchivedKind, ArchivedUntil } from "../../../core/ports/ArchivedUntil.ts"
import { Store, type Write } from "../../../core/ports/Store.ts"
import { CurrentRetention } from "../../../core/retention/Retention.ts"
import { sweep } from "../../../core/retention/sweep.ts"
import { drawnAt } from "../../../core/shared/Id.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import { replayDelivery } from "../../../core/webhooks/deliveries/deliverAgain.ts"
import {
  aCallback,
  aDelivery,
  anAccount,
  anEvent,
  anIntent,
  aReply,
  channelRequestIn,
  id,
  oneTimeIn,
  T0,
} from "../../support/records.ts"
import { testDatabase } from "../../support/postgres.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, codeOf, world } from "../../support/world.ts"
import { insert } from "../../../apps/payport/testing/store/probe.ts"

/** More than two steps of each kind. */
const MANY = 420

const numbers = Array.from({ length: MANY }, (_, n) => n + 1)
const told = { due_at: null }
const young = { created_at: T0 + 99 * DAY }

/** Many records of each kind that may be deleted, and the numbers of those that stay. */
const OPEN = 7
const RETURN = 5
const YOUNG = MANY + 1
const PAYABLE = 3

const RETURNS = { action: "refund", refund: null } as const

const records: ReadonlyArray<Write> = [
  ...numbers.flatMap((n) => [
    insert("event", anEvent({ n, ...told })),
    insert(
      "delivery",
      aDelivery(n === OPEN ? { n } : { n, status: "delivered", ...told, attempts: [] }),
    ),
    insert(
      "channel_request",
      channelRequestIn("done", { n, payment_intent: id("pi", 900), ...(n === RETURN && RETURNS) }),
    ),
  ]),
  ...numbers.map((n) => insert("callback", aCallback({ n, payment_intent: id("pi", 900) }))),
  insert("callback", aCallback({ n: YOUNG, payment_intent: id("pi", 900), ...young })),
  insert("event", anEvent({ n: YOUNG, ...told, ...young })),
  insert("delivery", aDelivery({ n: YOUNG, status: "failed", ...told, ...young })),
  insert(
    "channel_request",
    channelRequestIn("done", { n: YOUNG, payment_intent: id("pi", 900), ...young }),
  ),
  insert("payment_intent", anIntent({ n: PAYABLE, expires_at: T0 + 200 * DAY })),
  ...[1, 2].map((n) =>
    insert(
      "payment_intent",
      Object.assign(oneTimeIn("expired", { n }), { ended_at: T0 + (n === 1 ? 80 : 95) * DAY }),
    ),
  ),
]

const left = Effect.fnUntraced(function* (
  kind: "event" | "delivery" | "channel_request" | "callback",
) {
  const found = yield* (yield* Store).scan(kind, { after: undefined, limit: 2 * MANY })
  return found.map((record) => record.id)
})

const keeping = {
  event: 90 * DAY,
  delivery: 30 * DAY,
  channel_request: 45 * DAY,
  callback: 90 * DAY,
  reply: DAY,
  unpaid: 14 * DAY,
}

/**
 * Runs two workers at the same time, on one store or on two connections to it, and checks which
 * records remain.
 */
const twoWorkers = Effect.fnUntraced(function* (one: Store["Service"], other: Store["Service"]) {
  yield* TestClock.setTime(T0 + 100 * DAY)
  yield* one.commit({ writes: records })
  for (const n of [1, 2]) {
    yield* one.commit({ writes: [], reply: aReply({ n, expires_at: T0 + n * DAY * 99.5 }) })
  }
  const worker = (store: Store["Service"]) => Effect.provideService(sweep(0), Store, store)
  yield* Effect.all([worker(one), worker(other)], { concurrency: 2 })
  // A worker that lost a step to the other has skipped it.
  yield* worker(one)
  return yield* Effect.gen(function* () {
    expect(yield* left("delivery")).toEqual([id("wd", OPEN), id("wd", YOUNG)])
    expect(yield* left("event")).toEqual([id("evt", OPEN), id("evt", YOUNG)])
    expect(yield* left("channel_request")).toEqual([id("creq", RETURN), id("creq", YOUNG)])
    expect(yield* left("callback")).toEqual([id("cb", YOUNG)])
    const { find, findReply } = yield* Store
    expect(yield* find("payment_intent", id("pi", 1))).toBeUndefined()
    expect(yield* find("payment_intent", id("pi", 2))).toBeDefined()
    expect(yield* find("payment_intent", id("pi", PAYABLE))).toBeDefined()
    expect(yield* findReply(id("acct", 1), "retry-1")).toBeUndefined()
    expect(yield* findReply(id("acct", 1), "retry-2")).toBeDefined()
  }).pipe(Effect.provideService(Store, one))
})

const counted = (name: string, kind: string) =>
  Effect.map(
    Metric.snapshot,
    (all) =>
      all.find((metric) => metric.id === name && metric.attributes?.["kind"] === kind)?.state,
  )

describe("what is older than it is kept", () => {
  it.effect("leaves the memory store, but for what is needed, and is counted", () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* twoWorkers(store, store)
      expect(yield* counted("payport_retention_removed_total", "event")).toMatchObject({
        count: MANY - 1,
      })
      expect(yield* counted("payport_retention_oldest_seconds", "event")).toMatchObject({
        value: (100 * DAY) / 1_000,
      })
    }).pipe(
      Effect.provideService(CurrentRetention, keeping),
      Effect.provideService(Metric.MetricRegistry, new Map()),
      Effect.provide(Layer.merge(MemoryStore.layer, world(makeScript()))),
    ),
  )

  it.effect("leaves PostgreSQL while two workers are at it", () =>
    Effect.gen(function* () {
      const database = yield* testDatabase
      const open = Effect.map(Layer.build(PostgresStore.layer(database)), (context) =>
        Context.get(context, Store),
      )
      yield* twoWorkers(yield* open, yield* open)
    }).pipe(Effect.provideService(CurrentRetention, keeping), Effect.provide(world(makeScript()))),
  )
})

it.effect("what is to be archived first stays, also after the payment that it is about", () =>
  Effect.gen(function* () {
    const store = yield* Store
    yield* TestClock.setTime(T0 + 100 * DAY)
    yield* store.commit({
      writes: [
        insert(
          "payment_intent",
          Object.assign(oneTimeIn("expired", { n: 1 }), { ended_at: T0 + 80 * DAY }),
        ),
        insert("event", anEvent(told)),
        insert("delivery", aDelivery({ status: "delivered", ...told })),
        insert("callback", aCallback({ payment_intent: id("pi", 1) })),
        insert("channel_request", channelRequestIn("done", { payment_intent: id("pi", 1) })),
      ],
    })
    const drawn = drawnAt(id("evt", 1))
    const sweepArchived = (...kinds: ReadonlyArray<ArchivedKind>) =>
      Effect.provideService(sweep(0), ArchivedUntil, (kind) =>
        Effect.succeed(kinds.includes(kind) ? drawn + 1 : drawn),
      )
    yield* sweepArchived("callback", "event")
    expect(yield* store.find("payment_intent", id("pi", 1))).toBeUndefined()
    expect(yield* left("callback")).toEqual([])
    expect(yield* left("delivery")).toEqual([id("wd", 1)])
    expect(yield* left("event")).toEqual([id("evt", 1)])
    expect(yield* left("channel_request")).toHaveLength(1)
    yield* sweepArchived("channel_request", "delivery", "event")
    expect(yield* left("delivery")).toEqual([])
    expect(yield* left("event")).toEqual([])
    expect(yield* left("channel_request")).toEqual([])
  }).pipe(
    Effect.provideService(CurrentRetention, keeping),
    Effect.provide(Layer.merge(MemoryStore.layer, world(makeScript()))),
  ),
)

it.effect("a kind that cannot be read keeps no other from leaving", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(T0)
    const store = yield* Store
    const writes = [insert("event", anEvent({ due_at: null }))]
    yield* store.commit({ writes, reply: aReply() })
    yield* TestClock.setTime(T0 + 100 * DAY)
    const failing = Store.of({
      ...store,
      scan: (kind, page) =>
        kind === "delivery" ? Effect.die("an unreadable row") : store.scan(kind, page),
    })
    const swept = Effect.provideService(sweep(0), Store, failing)
    expect(Exit.isFailure(yield* Effect.exit(swept))).toBe(true)
    expect(yield* store.find("event", id("evt", 1))).toBeUndefined()
    expect(yield* store.findReply(id("acct", 1), "retry-1")).toBeUndefined()
  }).pipe(Effect.provide(world(makeScript()))),
)

it.effect("a replay whose delivery leaves at the same time is refused, and leaves nothing", () =>
  Effect.gen(function* () {
    const store = yield* Store
    yield* TestClock.setTime(T0)
    const delivery = aDelivery({ status: "delivered", ...told })
    yield* store.commit({ writes: [insert("event", anEvent(told)), insert("delivery", delivery)] })
    let isFirst = true
    const racing: Store["Service"] = {
      ...store,
      commit: (commit) => {
        const sweeps = isFirst ? sweep(0) : Effect.void
        isFirst = false
        const later = Effect.andThen(TestClock.setTime(T0 + 100 * DAY), sweeps)
        return Effect.andThen(
          Effect.provide(Effect.orDie(later), context).pipe(Effect.provideService(Store, store)),
          store.commit(commit),
        )
      },
    }
    const context = yield* Effect.context<Effect.Services<ReturnType<typeof sweep>>>()
    const replayed = replayDelivery(as(anAccount()), delivery.id)
    expect(yield* codeOf(Effect.provideService(replayed, Store, racing))).toBe("NOT_FOUND")
    expect(yield* left("delivery")).toEqual([])
    expect(yield* left("event")).toEqual([])
  }).pipe(Effect.provideService(CurrentRetention, keeping), Effect.provide(world(makeScript()))),
)
