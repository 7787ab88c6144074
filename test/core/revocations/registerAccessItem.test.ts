import { describe, expect, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import { Store } from "../../../core/ports/Store.ts"
import { createRefund } from "../../../core/refunds/createRefund.ts"
import { settleRefund } from "../../../core/refunds/refundOutcome.ts"
import { introspectAccess } from "../../../core/revocations/introspectAccess.ts"
import { makeTestStore } from "../../support/postgres.ts"
import { as, codeOf, seller } from "../../support/world.ts"
import { paid, registered, pendingRefunds, usd, WHOLE } from "./paidSessions.ts"
import { revocationWorld } from "./revocationWorld.ts"

const STORES: ReadonlyArray<readonly [string, () => Layer.Layer<Store, unknown>]> = [
  ["memory", () => MemoryStore.layer],
  ["PostgreSQL", makeTestStore],
]

const isActive = (id: string) =>
  Effect.map(introspectAccess(as(seller), { type: "session", id }), ({ active }) => active)

const refund = (payment_intent: string, value: number) =>
  createRefund(as(seller), { payment_intent, amount: usd(value) })

const confirm = Effect.fnUntraced(function* (id: string) {
  const number = (yield* (yield* Store).find("refund", id))?.channel_request ?? ""
  yield* settleRefund(number, { type: "done", at: 0, trade_no: "t" })
})

/** Runs another effect before the first commit of an access item. */
const before =
  <B, F, S>(other: Effect.Effect<B, F, S>) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const store = yield* Store
      const services = yield* Effect.context<S>()
      let ran = false
      const racing = Store.of({
        ...store,
        commit: (commit) => {
          if (ran || !commit.writes.some(({ kind }) => kind === "access_item"))
            return store.commit(commit)
          ran = true
          const first = Effect.orDie(Effect.provide(other, services))
          return Effect.andThen(first, store.commit(commit))
        },
      })
      return yield* Effect.provideService(self, Store, racing)
    })

for (const [name, store] of STORES) {
  const here = () => Effect.provide(revocationWorld([], store(), pendingRefunds()))

  describe(`access to what a payment bought, on ${name}`, () => {
    it.live("is not registered while a refund of the whole is pending, or afterwards", () =>
      Effect.gen(function* () {
        const payment = yield* paid()
        const { id } = yield* refund(payment, WHOLE)
        expect(yield* codeOf(registered(payment, "s2"))).toBe("INVALID_TRANSITION")
        yield* confirm(id)
        expect(yield* codeOf(registered(payment, "s2"))).toBe("INVALID_TRANSITION")
        expect(yield* isActive("s2")).toBe(false)
      }).pipe(here()),
    )

    it.live("is not registered once the parts of it that are refunded are the whole", () =>
      Effect.gen(function* () {
        const payment = yield* paid()
        yield* refund(payment, WHOLE - 1)
        expect(yield* codeOf(registered(payment, "s2"))).toBe("succeeded")
        yield* refund(payment, 1)
        expect(yield* codeOf(registered(payment, "s3"))).toBe("INVALID_TRANSITION")
      }).pipe(here()),
    )

    it.live("is registered after all once the refund of the whole has failed", () =>
      Effect.gen(function* () {
        const payment = yield* paid()
        const { id } = yield* refund(payment, WHOLE)
        const number = (yield* (yield* Store).find("refund", id))?.channel_request ?? ""
        yield* settleRefund(number, { type: "refused", message: "closed" })
        expect(yield* codeOf(registered(payment, "s2"))).toBe("succeeded")
      }).pipe(here()),
    )

    it.live("is refused where the whole is refunded between the decision and its commit", () =>
      Effect.gen(function* () {
        const payment = yield* paid()
        const whole = Effect.flatMap(refund(payment, WHOLE), ({ id }) => confirm(id))
        const code = yield* codeOf(registered(payment, "s2").pipe(before(whole)))
        expect(code).toBe("INVALID_TRANSITION")
        expect(yield* isActive("s2")).toBe(false)
      }).pipe(here()),
    )

    it.live("is refused or revoked where the refund begins at the same time", () =>
      Effect.gen(function* () {
        const payment = yield* paid()
        const ids = Array.from({ length: 8 }, (_, n) => `late${n}`)
        const [begun, codes] = yield* Effect.all(
          [
            refund(payment, WHOLE),
            Effect.forEach(ids, (id) => codeOf(registered(payment, id)), {
              concurrency: "unbounded",
            }),
          ],
          { concurrency: "unbounded" },
        )
        yield* confirm(begun.id)
        const by = { refund: begun.id }
        const revoked = yield* (yield* Store).list("revocation", { by })
        const targets = new Set(revoked.map(({ target_id }) => target_id))
        for (const [n, id] of ids.entries()) {
          expect([id, targets.has(id)]).toStrictEqual([id, codes[n] === "succeeded"])
          expect(codes[n]).toMatch(/^(succeeded|INVALID_TRANSITION)$/)
        }
      }).pipe(here()),
    )
  })
}

describe("access that is registered while a part is refunded", () => {
  it.live("is refused where the refund would revoke more than a refund can", () =>
    Effect.gen(function* () {
      const scopes = Array.from({ length: 50 }, (_, n) => `read:part_${n}`)
      const payment = yield* paid(scopes.map((scope) => ({ type: "session", scope })))
      yield* registered(payment, "s2")
      yield* refund(payment, 100)
      expect(yield* codeOf(registered(payment, "s3"))).toBe("revocation_limit_exceeded")
      expect(yield* codeOf(registered(payment, "s2"))).toBe("succeeded")
      expect(yield* codeOf(registered(payment, "k1", "license_key"))).toBe("succeeded")
    }).pipe(Effect.provide(revocationWorld([], MemoryStore.layer, pendingRefunds()))),
  )

  it.live("is registered where the refund has ended", () =>
    Effect.gen(function* () {
      const scopes = Array.from({ length: 50 }, (_, n) => `read:part_${n}`)
      const payment = yield* paid(scopes.map((scope) => ({ type: "session", scope })))
      yield* registered(payment, "s2")
      const ended = yield* refund(payment, 100)
      yield* confirm(ended.id)
      expect(yield* codeOf(registered(payment, "s3"))).toBe("succeeded")
    }).pipe(Effect.provide(revocationWorld([], MemoryStore.layer, pendingRefunds()))),
  )
})
