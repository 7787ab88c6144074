import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect, type Layer } from "effect"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import { challengeId } from "../../../core/challenges/Challenge.ts"
import { closeSession } from "../../../core/challenges/closeSession.ts"
import { lookAfterChallenge } from "../../../core/challenges/lookAfterChallenge.ts"
import { REST_CHECKED, restOf } from "../../../core/challenges/PaymentSession.ts"
import { Store } from "../../../core/ports/Store.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { createRefund } from "../../../core/refunds/createRefund.ts"
import { settleRefund } from "../../../core/refunds/refundOutcome.ts"
import { makeTestStore } from "../../support/postgres.ts"
import { aChallenge } from "../../support/records.ts"
import { as, seller } from "../../support/world.ts"
import { paid, pendingRefunds, usd } from "../revocations/paidSessions.ts"
import { revocationWorld } from "../revocations/revocationWorld.ts"

type Made = readonly [value: number, status: "pending" | "succeeded" | "failed", isRest?: "rest"]

describe("what is to be given back of a deposit", () => {
  it.each<[string, number, number | null, ReadonlyArray<Made>, number, boolean]>([
    ["what was not drawn", 699, 300, [], 399, false],
    ["all of it, if nothing was drawn", 699, null, [], 699, false],
    ["nothing, if all was drawn", 699, 699, [], 0, false],
    ["nothing, if its seller has refunded it", 699, 300, [[399, "succeeded"]], 0, false],
    ["nothing, if draws have used what a refund left", 699, 299, [[400, "succeeded"]], 0, false],
    ["what smaller refunds leave", 1000, 400, [[400, "succeeded"]], 200, false],
    ["that, and more if they fail", 699, 300, [[300, "pending"]], 99, true],
    ["the same after a refund that failed", 699, 300, [[600, "failed"]], 399, false],
    ["nothing yet while all is pending", 699, 300, [[699, "pending"]], 0, true],
    ["nothing more if a refund of all that was drawn fails", 699, 699, [[9, "pending"]], 0, false],
    [
      "what the failed one had taken",
      699,
      300,
      [
        [300, "failed"],
        [99, "succeeded", "rest"],
      ],
      300,
      false,
    ],
    ["nothing again, once it was", 699, 300, [[399, "succeeded", "rest"]], 0, false],
    ["nothing again, if its channel rejected it", 699, 300, [[399, "failed", "rest"]], 0, false],
    [
      "nothing again, if its seller made up for that",
      699,
      300,
      [
        [399, "failed", "rest"],
        [399, "pending"],
      ],
      0,
      false,
    ],
  ])("is %s", (_, taken, drawn, made, value, waits) => {
    const refunds = made.map(([amount, status, rest], n) => ({
      id: `ref_${n}`,
      amount: { value: amount },
      status,
      revoke: rest === undefined ? null : { unused: true },
    }))
    expect(restOf(taken, { drawn, rest_refund: null }, refunds)).toEqual({ value, waits })
  })

  it("does not repeat the refund that its challenge names", () => {
    const refund = { id: "ref_1", amount: { value: 399 }, status: "failed", revoke: null } as const
    const rest = restOf(699, { drawn: 300, rest_refund: "ref_1" }, [refund])
    expect(rest).toEqual({ value: 0, waits: false })
  })
})

const TOKEN = "token"

/** A session of a paid deposit of 699, drawn from up to a sum. */
const session = Effect.fnUntraced(function* (drawn: number | null) {
  const store = yield* Store
  const payment_intent = yield* paid()
  const now = yield* Clock.currentTimeMillis
  const token_hash = (yield* Vault).sha256(TOKEN)
  const id = challengeId(payment_intent)
  const redeemed_at = drawn === null ? null : now
  const record = aChallenge({ id, payment_intent, token_hash, drawn, redeemed_at, due_at: now })
  yield* store.commit({ writes: [{ op: "insert", kind: "challenge", record }] })
  const { amount, resource, service_id } = record
  const bound = { amount, resource, service_id, token: TOKEN }
  const close = closeSession(as(seller), payment_intent, bound)
  const find = Effect.flatMap(store.find("challenge", id), (found) =>
    found === undefined ? Effect.die("The challenge was deleted.") : Effect.succeed(found),
  )
  const work = Effect.flatMap(find, (found) => lookAfterChallenge({ ...found, due_at: 0 }))
  return { payment_intent, close, find, work }
})

const refund = (payment_intent: string, value: number) =>
  Effect.map(createRefund(as(seller), { payment_intent, amount: usd(value) }), ({ id }) => id)

const end = Effect.fnUntraced(function* (id: string | null, outcome: "succeeds" | "fails") {
  const number = (yield* (yield* Store).find("refund", id ?? ""))?.channel_request ?? ""
  yield* outcome === "fails"
    ? settleRefund(number, { type: "refused", message: "closed" })
    : settleRefund(number, { type: "done", at: 0, trade_no: "t" })
})

/** Returns the refunds of a payment that have not failed, the oldest first. */
const amounts = Effect.fnUntraced(function* (payment_intent: string) {
  const by = { payment_intent }
  const all = yield* (yield* Store).list("refund", { by, order: "oldest" })
  return all.flatMap(({ amount, status }) => (status === "failed" ? [] : [amount.value]))
})

const STORES: ReadonlyArray<readonly [string, () => Layer.Layer<Store, unknown>]> = [
  ["memory", () => MemoryStore.layer],
  ["PostgreSQL", makeTestStore],
]

for (const [name, store] of STORES) {
  const here = () => Effect.provide(revocationWorld([], store(), pendingRefunds()))

  describe(`the rest of a session, on ${name}`, () => {
    it.live("is what the seller has not refunded itself, whatever was drawn then", () =>
      Effect.gen(function* () {
        const { close, payment_intent: id } = yield* session(300)
        yield* end(yield* refund(id, 399), "succeeds")
        expect(yield* close).toEqual({ payment_intent: id, refund: null })
        expect(yield* amounts(id)).toEqual([399])
      }).pipe(here()),
    )

    for (const by of ["close", "work"] as const) {
      it.live(`comes after all, once, where a pending refund of it fails: by ${by}`, () =>
        Effect.gen(function* () {
          const { payment_intent: id, ...acts } = yield* session(300)
          const larger = yield* refund(id, 300)
          const closed = yield* acts.close
          expect(yield* amounts(id)).toEqual([300, 99])
          yield* acts.work
          const waits = yield* acts.find
          const now = yield* Clock.currentTimeMillis
          expect(waits.due_at).toBeLessThanOrEqual(now + REST_CHECKED)
          expect(yield* amounts(id)).toEqual([300, 99])
          yield* end(larger, "fails")
          const act: Effect.Effect<unknown, unknown, Effect.Services<typeof acts.work>> = acts[by]
          const many = Array.from({ length: 5 }, () => Effect.result(act))
          yield* Effect.all(many, { concurrency: "unbounded" })
          expect(yield* amounts(id)).toEqual([99, 300])
          expect(yield* acts.close).toEqual(closed)
          yield* acts.work
          expect(yield* amounts(id)).toEqual([99, 300])
          expect((yield* acts.find).due_at).toBeGreaterThan(now + REST_CHECKED)
        }).pipe(here()),
      )
    }

    it.live("is none at first where all is being refunded, and comes when that fails", () =>
      Effect.gen(function* () {
        const { close, payment_intent: id, work } = yield* session(300)
        const whole = yield* refund(id, 699)
        expect(yield* close).toEqual({ payment_intent: id, refund: null })
        yield* end(whole, "fails")
        yield* work
        expect(yield* amounts(id)).toEqual([399])
        expect((yield* close).refund).toMatch(/^ref_/)
        expect(yield* amounts(id)).toEqual([399])
      }).pipe(here()),
    )

    it.live("revokes nothing of what the drawn part paid for", () =>
      Effect.gen(function* () {
        const { close } = yield* session(300)
        const { refund: rest } = yield* close
        yield* end(rest, "succeeds")
        const by = { refund: rest ?? "" }
        expect(yield* (yield* Store).list("revocation", { by })).toEqual([])
      }).pipe(here()),
    )

    it.live("revokes all where nothing of the deposit is kept", () =>
      Effect.gen(function* () {
        const { close } = yield* session(null)
        const { refund: rest } = yield* close
        yield* end(rest, "succeeds")
        const by = { refund: rest ?? "" }
        const revoked = yield* (yield* Store).list("revocation", { by })
        expect(revoked.map(({ scope, target_id }) => [target_id, scope])).toEqual([["s1", "all"]])
      }).pipe(here()),
    )

    it.live("is not asked for for ever where it cannot be refunded", () =>
      Effect.gen(function* () {
        const { close, find, payment_intent: id, work } = yield* session(300)
        const pending = yield* refund(id, 300)
        yield* close
        yield* end(pending, "fails")
        const store = yield* Store
        const record = { ...(yield* find), closed_at: 0 }
        yield* store.commit({ writes: [{ op: "replace", kind: "challenge", record }] })
        yield* work
        expect(yield* amounts(id)).toEqual([99])
      }).pipe(here()),
    )
  })
}
