import { it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Fiber, Layer } from "effect"
import { describe, expect } from "vitest"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import { type Commit, Store } from "../../../core/ports/Store.ts"
import { feesFrom } from "../../../core/pricing/Price.ts"
import { insert, replace, together, upTo } from "../../../apps/payport/testing/store/probe.ts"
import {
  channelRequestIn,
  anAccount,
  anApiKey,
  aDelivery,
  anIntent,
  aReply,
  aService,
  id,
  intentIn,
  oneTimeIn,
  T0,
  uuid,
} from "../../support/records.ts"
import { emptiedDatabase, makeTestStore, session } from "../../support/postgres.ts"

const check = (name: string, test: () => Effect.Effect<void, unknown, Store>) =>
  it.live(name, () => Effect.provide(Effect.suspend(test), makeTestStore()))

const create = (n: number): Commit => ({ writes: [insert("payment_intent", anIntent({ n }))] })

const stored = Effect.fnUntraced(function* (numbers: ReadonlyArray<number>) {
  const store = yield* Store
  const found = yield* together(numbers.map((n) => store.find("payment_intent", id("pi", n))))
  return found.map((intent) => intent !== undefined)
})

const count = <A>(values: ReadonlyArray<A>, value: A) =>
  values.filter((other) => other === value).length

const changed = (intent: PaymentIntent, change: object) =>
  insert("payment_intent", { ...intent, ...change })

/** Changes that the database has to refuse even if the core sends them. */
const walls: { readonly [name: string]: Commit["writes"][number] } = {
  "an amount of 0": changed(anIntent(), { amount: { currency: "USD", value: 0 } }),
  "an amount over the limit": changed(anIntent(), {
    amount: { currency: "USD", value: 1_000_000_000_001 },
  }),
  "an amount with a fraction": changed(anIntent(), { amount: { currency: "USD", value: 1.5 } }),
  "a negative settlement": changed(anIntent(), {
    settlement: { currency: "USD", value: -1, rate: "1" },
  }),
  "a rate of 0": changed(anIntent(), { settlement: { currency: "USD", value: 1, rate: "0" } }),
  "a negative fee": changed(anIntent(), { fees: feesFrom("USD", -1, 0, 0) }),
  "a status of the other flow": changed(anIntent(), { status: "completed" }),
  "a status that does not exist": changed(anIntent(), { status: "paid" }),
  "a QR state in the deep-link flow": changed(oneTimeIn("pending"), { status: "scanning" }),
  "scanning that was never scanned": changed(anIntent(), { status: "scanning" }),
  "a capture without an authorization": changed(intentIn("captured"), { authorized_at: undefined }),
  "success without a time": changed(intentIn("succeeded"), { succeeded_at: undefined }),
  "success without a trade": changed(intentIn("succeeded"), { channel_txn_id: undefined }),
  "a failure without a code": changed(intentIn("failed"), { failure_code: undefined }),
  "an end without a time": changed(intentIn("voided"), { ended_at: undefined }),
  "an end of what goes on": changed(intentIn("authorized"), { ended_at: T0 }),
  "an authorization before the scan": changed(intentIn("authorized"), { authorized_at: T0 }),
  "a capture before the authorization": changed(intentIn("captured"), { captured_at: T0 }),
  "success before the capture": changed(intentIn("succeeded"), { succeeded_at: T0 }),
  "metadata that is no object": changed(anIntent(), { metadata: [1] }),
  "text with a null character": changed(anIntent(), { description: "a\u0000b" }),
  "an account of no kind": insert("account", anAccount({ kind: "bank" as "buyer" })),
  "a plan that does not exist": insert("account", anAccount({ plan: "free" as "pro" })),
  "a hash that is none": insert("api_key", anApiKey({ hash: "SECRET" })),
  "a manifest of no status": insert("service", aService({ status: "open" as "draft" })),
  "a request that is done and due": insert(
    "channel_request",
    Object.assign(channelRequestIn("done"), { due_at: T0 }),
  ),
  "a delivery that has ended and is due": insert("delivery", aDelivery({ status: "delivered" })),
}

describe("the second wall", () => {
  for (const [name, write] of Object.entries(walls)) {
    check(`refuses ${name}, and harms no neighbour`, () =>
      Effect.gen(function* () {
        const store = yield* Store
        const commits = [create(2), { writes: [write] }, create(3)]
        const outcomes = yield* together(commits.map((one) => Effect.result(store.commit(one))))
        expect(outcomes[1]).toMatchObject({
          failure: { _tag: "StoreUnavailable", outcome: "not_stored" },
        })
        expect(yield* stored([2, 3])).toStrictEqual([true, true])
      }),
    )
  }

  check("keeps a QR charge and a trade number to one intent", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const trade = { trade_no: "trade-7" }
      yield* store.commit({ writes: [insert("payment_intent", anIntent(trade))] })
      const again = [
        { ...trade, n: 2 },
        { n: 3, offers: anIntent().offers },
      ]
      for (const said of again) {
        const failure = yield* Effect.flip(
          store.commit({ writes: [insert("payment_intent", anIntent(said))] }),
        )
        expect(failure).toMatchObject({ _tag: "Conflict", reason: { type: "key_taken" } })
      }
    }),
  )

  check("quotes no value in its causes", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const secret = anApiKey({ hash: "SECRET-HASH" })
      const failure = yield* Effect.flip(store.commit({ writes: [insert("api_key", secret)] }))
      expect(Cause.pretty(Cause.fail(failure))).not.toContain("SECRET-HASH")
      expect(JSON.stringify(failure)).not.toContain("SECRET-HASH")
    }),
  )
})

describe("a group", () => {
  check("is not broken by callers that go away", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const numbers = upTo(200)
      const fibers = yield* Effect.forEach(numbers, (n) =>
        Effect.forkChild(store.commit(create(n))),
      )
      yield* Effect.sleep("2 millis")
      yield* Effect.forEach(
        fibers.filter((_, n) => n % 2 === 0),
        Fiber.interrupt,
      )
      const rest = fibers.filter((_, n) => n % 2 === 1)
      const exits = yield* Effect.forEach(rest, Fiber.await)
      expect(exits.every(Exit.isSuccess)).toBe(true)
      expect(yield* stored(numbers.filter((n) => n % 2 === 0))).not.toContain(false)
      yield* store.commit(create(201))
    }),
  )

  check("is not broken by a commit of an impossible shape, which is a defect", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const impossible: ReadonlyArray<Commit> = [
        { writes: [insert("payment_intent", anIntent({ version: 2 }))] },
        { writes: [insert("payment_intent", anIntent({ id: uuid(5) }))] },
        { writes: [insert("payment_intent", anIntent({ account_id: id("pi", 5) }))] },
        { writes: [insert("nothing" as "account", anAccount())] },
      ]
      const exits = yield* together(
        [...impossible, create(1), create(2)].map((commit) => Effect.exit(store.commit(commit))),
      )
      const died = exits.map((exit) => Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      expect(died).toStrictEqual([true, true, true, true, false, false])
      expect(yield* stored([1, 2])).toStrictEqual([true, true])
    }),
  )

  check("answers all who lose one record to one winner", () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.commit({ writes: [insert("payment_intent", intentIn("authorized"))] })
      const moves = upTo(150).map((n) =>
        Effect.result(
          store.commit({
            writes: [replace("payment_intent", intentIn(n % 2 ? "capturing" : "voided"))],
          }),
        ),
      )
      const results = yield* together(moves)
      expect(
        count(
          results.map(({ _tag }) => _tag),
          "Success",
        ),
      ).toBe(1)
      for (const result of results) {
        if (result._tag === "Success") continue
        expect(result.failure).toMatchObject({ reason: { type: "stale_version" } })
      }
    }),
  )

  check("answers all who lose one reply to one winner", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const racers = upTo(150).map((n) =>
        Effect.result(
          store.commit({
            ...create(n),
            reply: aReply({ holder: uuid(n), answer: "sealed" }),
          }),
        ),
      )
      const results = yield* together(racers)
      expect(
        count(
          results.map(({ _tag }) => _tag),
          "Success",
        ),
      ).toBe(1)
      for (const result of results) {
        if (result._tag === "Failure") expect(result.failure).toMatchObject({ _tag: "Conflict" })
      }
      expect(count(yield* stored(upTo(150)), true)).toBe(1)
    }),
  )
})

describe("two processes", () => {
  const twoStores = Effect.gen(function* () {
    const database = yield* emptiedDatabase
    const contexts = yield* Effect.all([
      Layer.build(PostgresStore.layer(database)),
      Layer.build(PostgresStore.layer(database)),
    ])
    return { database, stores: contexts.map((context) => Context.get(context, Store)) }
  })

  it.live("give each key, reply and version to one of them, a hundred times", () =>
    Effect.gen(function* () {
      const { stores } = yield* twoStores
      for (const n of upTo(100)) {
        yield* stores[0]!.commit({
          writes: [insert("payment_intent", intentIn("authorized", { n }))],
        })
        const racers: ReadonlyArray<(one: number) => Commit> = [
          (one) => ({ writes: [], keys: [{ op: "claim", key: `key ${n}`, owner: `${one}` }] }),
          (one) => ({ writes: [], reply: aReply({ n, holder: uuid(one + 1) }) }),
          () => ({ writes: [replace("payment_intent", intentIn("voided", { n }))] }),
          (one) => ({
            writes: [insert("account", anAccount({ n: 2 * n + one, agent_id: `agent ${n}` }))],
          }),
        ]
        const results = yield* together(
          racers.map((racer) =>
            together(stores.map((store, one) => Effect.result(store.commit(racer(one))))),
          ),
        )
        for (const pair of results) {
          expect(pair.map(({ _tag }) => _tag).toSorted()).toStrictEqual(["Failure", "Success"])
          for (const result of pair) {
            if (result._tag === "Failure") expect(result.failure._tag).toBe("Conflict")
          }
        }
      }
    }),
  )

  it.live("in groups that lock the same rows in any order come to no deadlock", () =>
    Effect.gen(function* () {
      const rows = upTo(20)
      const race = Effect.gen(function* () {
        const { database, stores } = yield* twoStores
        yield* stores[0]!.commit({
          writes: rows.map((n) => insert("payment_intent", anIntent({ n }))),
        })
        const commits = upTo(400).map((n) => {
          const of = (offset: number) => rows[(n * 7 + offset) % rows.length] ?? 1
          const reserve = (offset: number) => ({
            counter: `counter ${of(offset)}`,
            add: 1,
            limit: 1_000,
          })
          return stores[n % 2]!.commit({
            writes: [
              replace("payment_intent", intentIn("scanning", { n: of(n % 3) })),
              replace("payment_intent", intentIn("scanning", { n: of(5) })),
            ],
            reservations: [reserve(1), reserve((n % 5) + 2)],
            keys: [{ op: "claim", key: `key ${of(n % 4)}`, owner: "all" }],
          })
        })
        return { database, results: yield* together(commits.map(Effect.result)) }
      })
      // Sessions report their errors when they end.
      const { database, results } = yield* Effect.scoped(race)
      for (const result of results) {
        if (result._tag === "Failure") expect(result.failure._tag).toBe("Conflict")
      }
      expect(results.some(({ _tag }) => _tag === "Success")).toBe(true)
      const admin = yield* session(database)
      const {
        rows: [statistics],
      } = yield* admin.query(
        "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
      )
      expect(Number(statistics?.["deadlocks"])).toBe(0)
    }),
  )

  it.live("do not hold up others for a row that a stranger has locked", () =>
    Effect.gen(function* () {
      const {
        database,
        stores: [store],
      } = yield* twoStores
      yield* store!.commit({
        writes: upTo(10).map((n) => insert("payment_intent", anIntent({ n }))),
      })
      const stranger = yield* session(database)
      yield* stranger.query("BEGIN")
      yield* stranger.query("SELECT FROM payment_intents WHERE id = $1::uuid FOR UPDATE", [uuid(5)])
      const results = yield* together(
        upTo(10).map((n) =>
          Effect.result(
            store!.commit({
              writes: [replace("payment_intent", intentIn("scanning", { n }))],
            }),
          ),
        ),
      )
      yield* stranger.query("ROLLBACK")
      for (const [index, result] of results.entries()) {
        expect(result._tag, `${index + 1}`).toBe(index === 4 ? "Failure" : "Success")
      }
      expect(results[4]).toMatchObject({ failure: { outcome: "not_stored" } })
      yield* store!.commit({
        writes: [replace("payment_intent", intentIn("scanning", { n: 5 }))],
      })
    }),
  )
})

describe("where the service's clock stands still", () => {
  it.effect("commits, retries and listens all the same", () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.commit(create(1))
      yield* store.ping()
      const racers = upTo(20).map((n) =>
        Effect.result(store.commit({ writes: [], reply: aReply({ holder: uuid(n) }) })),
      )
      const results = yield* together(racers)
      expect(
        count(
          results.map(({ _tag }) => _tag),
          "Success",
        ),
      ).toBe(1)
      yield* store.commit({ writes: [], reply: aReply({ n: 2, holder: uuid(1) }) })
      const failure = yield* Effect.flip(
        store.commit({ writes: [], reply: aReply({ n: 2, holder: uuid(2) }) }),
      )
      expect(failure).toMatchObject({ _tag: "Conflict", reason: { type: "reply_taken" } })
    }).pipe(Effect.provide(makeTestStore())),
  )
})
