import { expect, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe } from "vitest"
import type { Account } from "../../../core/accounts/Account.ts"
import { itemKey } from "../../../core/revocations/AccessItem.ts"
import { executeRevocation } from "../../../core/revocations/executeRevocation.ts"
import { introspectAccess } from "../../../core/revocations/introspectAccess.ts"
import type { Revocation } from "../../../core/revocations/Revocation.ts"
import { RevocationRetention } from "../../../core/revocations/RevocationRetention.ts"
import { type RevocationOrder, Revoker } from "../../../core/ports/Revoker.ts"
import { Store, StoreUnavailable } from "../../../core/ports/Store.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { DAY, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { anAccessItem, id, refundIn, T0 } from "../../support/records.ts"
import { as, buyer, seller, stranger } from "../../support/world.ts"
import {
  confirmed,
  intent,
  planned,
  planOf,
  revocationWorld,
  type Told,
  tokens,
} from "./revocationWorld.ts"

const ref = (n: number) => id("ref", n)

const begin = Effect.gen(function* () {
  yield* TestClock.setTime(T0)
  yield* (yield* Store).commit({
    writes: [{ op: "insert", kind: "payment_intent", record: intent }],
  })
})

/** Lets a worker do what is due now; returns the number of revocations. */
const work = Effect.gen(function* () {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  const due = yield* store.claimDue("revocation", now, { limit: 100, lease: 30 * SECOND })
  yield* Effect.forEach(due, executeRevocation, { concurrency: "unbounded" })
  return due.length
})

/** Moves from one due time to the next until `until`; returns the times at which work was done. */
const workUntil = Effect.fnUntraced(function* (until: Timestamp) {
  const store = yield* Store
  const times: Array<Timestamp> = []
  while (true) {
    const now = yield* Clock.currentTimeMillis
    if ((yield* work) > 0) times.push(now - T0)
    const all = yield* Effect.forEach([1, 2], (n) =>
      store.list("revocation", { by: { refund: ref(n) } }),
    )
    const next = Math.min(...all.flat().map(({ due_at }) => due_at ?? Infinity))
    if (next > until) return times
    yield* TestClock.setTime(next)
  }
})

const revocations = (refund: string) =>
  Effect.flatMap(Store, (store) => store.list("revocation", { by: { refund }, order: "oldest" }))

const ask = (item: string, caller = seller) =>
  introspectAccess(as(caller), { type: "access_token", id: item })

const register = Effect.fnUntraced(function* (
  n: number,
  item_id: string,
  account: Account = seller,
  payment_intent: string = id("pi", 1),
) {
  const { sha256 } = yield* Vault
  const item_key = itemKey(sha256, "access_token", item_id)
  const { id: account_id } = account
  const said = { n, account_id, item_id, item_key, payment_intent, scopes: ["all"] }
  const record = anAccessItem(said)
  yield* (yield* Store).commit({ writes: [{ op: "insert", kind: "access_item", record }] })
})

const codes = (told: Told) =>
  told.flatMap(({ data, type }) =>
    type === "revocation.failed" ? [(data["error"] as { readonly code: string }).code] : [],
  )

const of = (told: Told, type: string, account = seller) =>
  told.filter((event) => event.type === type && event.account_id === account.id)

describe("a refund's revocations", () => {
  it.effect("wait until the refund is confirmed, then run at once", () => {
    const told: Told = []
    return Effect.gen(function* () {
      yield* begin
      yield* register(1, "t1")
      yield* planned(ref(1), planOf(tokens("t1", "t2")))
      yield* TestClock.setTime(T0 + DAY)
      expect(yield* work).toBe(0)
      expect((yield* ask("t1")).active).toBe(true)
      yield* confirmed(ref(1))
      expect(yield* work).toBe(2)
      const all = yield* revocations(ref(1))
      expect(all.map(({ status }) => status)).toStrictEqual(["revoked", "revoked"])
      expect(all.every((one) => "revoked_at" in one && one.revoked_at === T0 + DAY)).toBe(true)
      const gone = { active: false, scopes: [], revoked_scopes: ["all"] }
      expect(yield* ask("t1")).toStrictEqual(gone)
      expect(yield* ask("t2")).toStrictEqual(gone)
      expect(yield* ask("t2", stranger)).toStrictEqual({ ...gone, revoked_scopes: [] })
      const [first] = of(told, "revocation.succeeded")
      expect(first).toMatchObject({
        service_id: intent.service_id,
        subject_id: ref(1),
        data: {
          refund_id: ref(1),
          target_type: "access_token",
          status: "revoked",
          revoked_at: "2026-01-02T00:00:00.000Z",
        },
      })
      expect(of(told, "revocation.succeeded")).toHaveLength(2)
      expect(of(told, "revocation.succeeded", buyer)).toHaveLength(2)
      expect(of(told, "revocation.batch.completed").map(({ data }) => data)).toStrictEqual([
        {
          refund_id: ref(1),
          total_targets: 2,
          revoked: 2,
          failed: 0,
          completed_at: "2026-01-02T00:00:00.000Z",
        },
      ])
    }).pipe(Effect.provide(revocationWorld(told)))
  })

  it.effect("are tried again after 1, 4 and 16 s, permanent errors too, and then fail", () => {
    const told: Told = []
    return Effect.gen(function* () {
      yield* begin
      yield* planned(ref(1), planOf(tokens("missing_1", "forbidden_1", "flaky_1", "t1")))
      yield* confirmed(ref(1))
      expect(yield* workUntil(T0 + DAY)).toStrictEqual([0, 1_000, 5_000, 21_000])
      const all = yield* revocations(ref(1))
      expect(all).toMatchObject([
        { status: "failed", attempts: 4, failed_at: T0 + 21_000 },
        { status: "failed", attempts: 4, failed_at: T0 + 21_000 },
        { status: "revoked", attempts: 3, revoked_at: T0 + 5_000 },
        { status: "revoked", attempts: 1, revoked_at: T0 },
      ])
      expect(codes(of(told, "revocation.failed")).toSorted()).toStrictEqual([
        "permission_error",
        "revocation_target_not_found",
      ])
      const [batch, ...more] = of(told, "revocation.batch.completed")
      expect(more).toStrictEqual([])
      expect(batch?.data).toMatchObject({ total_targets: 4, revoked: 2, failed: 2 })
      expect(batch?.created_at).toBe(T0 + 21_000)
      expect(told.at(-1)?.type).toBe("revocation.batch.completed")
    }).pipe(Effect.provide(revocationWorld(told)))
  })

  it.effect(
    "of what is another seller's, unregistered under a strict policy, or gone, fail",
    () => {
      const told: Told = []
      return Effect.gen(function* () {
        yield* begin
        yield* register(1, "theirs", stranger)
        yield* register(2, "mine")
        yield* planned(ref(1), planOf(tokens("theirs", "unknown", "mine"), { strict: true }))
        yield* confirmed(ref(1))
        yield* workUntil(T0 + DAY)
        expect((yield* revocations(ref(1))).map(({ error }) => error?.code)).toStrictEqual([
          "permission_error",
          "revocation_target_not_found",
          undefined,
        ])
        expect((yield* ask("theirs", stranger)).active).toBe(true)
        expect((yield* ask("unknown")).revoked_scopes).toStrictEqual([])
        const narrower = [{ type: "access_token", id: "mine", scope: "read:summary" }] as const
        yield* planned(ref(2), planOf(narrower))
        yield* confirmed(ref(2))
        yield* workUntil(T0 + 2 * DAY)
        expect((yield* revocations(ref(2)))[0]).toMatchObject({
          status: "failed",
          error: { code: "revocation_target_not_found" },
        })
        expect((yield* ask("mine")).revoked_scopes).toStrictEqual(["all"])
      }).pipe(Effect.provide(revocationWorld(told)))
    },
  )

  for (const [how, revoke, revoked_scopes] of [
    ["by policy", null, []],
    ["by request", { targets: [{ type: "access_token", id: "bought again" }] }, ["all"]],
  ] as const) {
    it.effect(
      `named ${how}, of what was bought again since, take ${revoked_scopes.length} scopes`,
      () => {
        const told: Told = []
        return Effect.gen(function* () {
          yield* begin
          const store = yield* Store
          const refund = refundIn("succeeded", { payment_intent: intent.id, revoke })
          yield* store.commit({ writes: [{ op: "insert", kind: "refund", record: refund }] })
          yield* register(1, "bought again", seller, intent.id)
          yield* planned(refund.id, planOf(tokens("bought again")))
          const { sha256 } = yield* Vault
          const item_key = itemKey(sha256, "access_token", "bought again")
          const item = yield* store.findBy("access_item", { account_id: seller.id, item_key })
          if (item === undefined) return expect.unreachable("the item is registered")
          const record = { ...item, payment_intent: id("pi", 77) }
          yield* store.commit({ writes: [{ op: "replace", kind: "access_item", record }] })
          yield* confirmed(refund.id)
          yield* workUntil(T0 + DAY)
          expect((yield* ask("bought again")).revoked_scopes).toStrictEqual(revoked_scopes)
          const kept = revoked_scopes.length === 0
          expect(codes(of(told, "revocation.failed"))).toStrictEqual(
            kept ? ["revocation_target_not_found"] : [],
          )
          expect(of(told, "revocation.batch.completed")[0]?.data).toMatchObject({
            revoked: kept ? 0 : 1,
            failed: kept ? 1 : 0,
          })
        }).pipe(Effect.provide(revocationWorld(told)))
      },
    )
  }

  it.effect("tell of the batch alone where no notice was asked for", () => {
    const told: Told = []
    return Effect.gen(function* () {
      yield* begin
      yield* planned(ref(1), planOf(tokens("t1", "missing_1"), { notify: false }))
      yield* confirmed(ref(1))
      yield* workUntil(T0 + DAY)
      const types = told.map(({ type }) => type)
      expect(types).toStrictEqual(["revocation.batch.completed", "revocation.batch.completed"])
      expect(new Set(told.map(({ account_id }) => account_id))).toStrictEqual(
        new Set([seller.id, buyer.id]),
      )
    }).pipe(Effect.provide(revocationWorld(told)))
  })

  it.effect("expire after the retention, and what they took stays taken", () =>
    Effect.gen(function* () {
      yield* begin
      yield* register(1, "t1")
      yield* planned(ref(1), planOf(tokens("t1")))
      yield* confirmed(ref(1))
      expect(yield* workUntil(T0 + 90 * DAY - 1)).toStrictEqual([0])
      expect((yield* revocations(ref(1)))[0]?.status).toBe("revoked")
      expect(yield* workUntil(T0 + 400 * DAY)).toStrictEqual([90 * DAY])
      expect((yield* revocations(ref(1)))[0]).toMatchObject({ status: "expired", revoked_at: T0 })
      expect((yield* ask("t1")).active).toBe(false)
    }).pipe(Effect.provide(revocationWorld())),
  )

  it.effect("expire after the retention that is set", () =>
    Effect.gen(function* () {
      yield* begin
      yield* planned(ref(1), planOf(tokens("t1")))
      yield* confirmed(ref(1))
      expect(yield* workUntil(T0 + 400 * DAY)).toStrictEqual([0, 7 * DAY])
    }).pipe(Effect.provideService(RevocationRetention, 7 * DAY), Effect.provide(revocationWorld())),
  )
})

describe("crashes and races", () => {
  it.effect("an attempt whose outcome was not stored is made again under the same id", () => {
    const told: Told = []
    const orders: Array<RevocationOrder> = []
    let losing = true
    const crashing = Layer.effect(
      Store,
      Effect.map(Store, (store) =>
        Store.of({
          ...store,
          commit: (commit) => {
            const lost = losing && commit.events !== undefined
            if (lost) losing = false
            return lost
              ? Effect.fail(new StoreUnavailable({ outcome: "not_stored", cause: "crash" }))
              : store.commit(commit)
          },
        }),
      ),
    )
    const counting = Layer.succeed(Revoker, {
      revoke: (order) => {
        orders.push(order)
        return Effect.succeed({ type: "revoked" })
      },
    })
    return Effect.gen(function* () {
      yield* begin
      yield* planned(ref(1), planOf(tokens("t1")))
      yield* confirmed(ref(1))
      yield* Effect.exit(work)
      expect((yield* revocations(ref(1)))[0]?.status).toBe("pending")
      yield* TestClock.setTime(T0 + 29 * SECOND)
      expect(yield* work).toBe(0)
      yield* TestClock.setTime(T0 + 30 * SECOND)
      expect(yield* work).toBe(1)
      const made = orders.map(({ attempt, revocation }) => [revocation.id, attempt])
      expect(made[1]).toStrictEqual(made[0])
      expect(made).toHaveLength(2)
      expect(of(told, "revocation.succeeded")).toHaveLength(1)
      expect(of(told, "revocation.batch.completed")).toHaveLength(1)
    }).pipe(
      Effect.provide(
        Layer.mergeAll(crashing, counting).pipe(Layer.provideMerge(revocationWorld(told))),
      ),
    )
  })

  it.effect("a worker that was overtaken adds nothing", () => {
    const told: Told = []
    return Effect.gen(function* () {
      yield* begin
      yield* planned(ref(1), planOf(tokens("t1", "missing_1")))
      yield* confirmed(ref(1))
      const store = yield* Store
      const claim = (at: Timestamp) =>
        store.claimDue("revocation", at, { limit: 9, lease: SECOND / 2 })
      const slow = yield* claim(T0)
      const fast = yield* claim(T0 + SECOND / 2)
      expect(fast).toHaveLength(2)
      yield* Effect.forEach([...slow, ...fast], executeRevocation, { concurrency: "unbounded" })
      expect((yield* revocations(ref(1))).map(({ attempts }) => attempts)).toStrictEqual([1, 1])
      expect(of(told, "revocation.succeeded")).toHaveLength(1)
    }).pipe(Effect.provide(revocationWorld(told)))
  })

  const twoRefunds = (told: Told) =>
    Effect.gen(function* () {
      yield* begin
      yield* planned(ref(1), planOf(tokens("t1")))
      yield* planned(ref(2), planOf(tokens("t1")))
      yield* Effect.all([confirmed(ref(1)), confirmed(ref(2))])
      yield* workUntil(T0 + DAY)
      const all: ReadonlyArray<Revocation> = [
        ...(yield* revocations(ref(1))),
        ...(yield* revocations(ref(2))),
      ]
      expect(all.map(({ status }) => status).toSorted()).toStrictEqual(["failed", "revoked"])
      expect((yield* ask("t1")).revoked_scopes).toStrictEqual(["all"])
      expect(of(told, "revocation.batch.completed")).toHaveLength(2)
      expect(codes(of(told, "revocation.failed"))).toStrictEqual(["revocation_target_not_found"])
    })

  it.effect("two refunds that revoke the same at the same moment: one has done it", () => {
    const told: Told = []
    return twoRefunds(told).pipe(Effect.provide(revocationWorld(told)))
  })

  const lastTwo = (told: Told, size: number) =>
    Effect.gen(function* () {
      yield* begin
      const names = Array.from({ length: size }, (_, n) =>
        n % 3 === 0 ? `missing_${n}` : n % 3 === 1 ? `flaky_${n}` : `t${n}`,
      )
      yield* planned(ref(1), planOf(tokens(...names)))
      yield* confirmed(ref(1))
      yield* workUntil(T0 + DAY)
      const failed = Math.ceil(size / 3)
      const [batch, ...more] = of(told, "revocation.batch.completed")
      expect(more).toStrictEqual([])
      expect(batch?.data).toMatchObject({
        total_targets: size,
        revoked: size - failed,
        failed,
      })
      expect(of(told, "revocation.succeeded")).toHaveLength(size - failed)
      expect(of(told, "revocation.failed")).toHaveLength(failed)
      expect(of(told, "revocation.batch.completed", buyer)).toHaveLength(1)
    })

  for (const size of [1, 2, 3, 7, 100]) {
    it.effect(`${size} targets that end together have one batch event with the totals`, () => {
      const told: Told = []
      return lastTwo(told, size).pipe(Effect.provide(revocationWorld(told)))
    })
  }
})
