import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { describe } from "vitest"
import { Store } from "../../../core/ports/Store.ts"
import { dropRevocations, planRevocations } from "../../../core/revocations/refundRevocations.ts"
import { anAccessItem, aService, id, revocationIn } from "../../support/records.ts"
import { as, codeOf, seller } from "../../support/world.ts"
import { intent, planned, planOf, revocationWorld, tokens } from "./revocationWorld.ts"

const policy = { auto_revoke_on_refund: true, default_targets: [{ type: "access_token" }] }
const half = { currency: "USD", value: 349 }
const revoke = { targets: [{ type: "session", id: "s1" }] }

const withPolicy = Effect.gen(function* () {
  const store = yield* Store
  const service = aService({ account_id: seller.id, revocation_policy: policy })
  const item = anAccessItem({ account_id: seller.id, payment_intent: intent.id })
  yield* store.commit({
    writes: [
      { op: "insert", kind: "service", record: service },
      { op: "insert", kind: "access_item", record: item },
    ],
  })
})

const allRevoked = (status: "pending" | "revoked" | "expired" | "failed") =>
  Effect.gen(function* () {
    const record = revocationIn(status, { payment_intent: intent.id, scope: "all" })
    yield* (yield* Store).commit({ writes: [{ op: "insert", kind: "revocation", record }] })
  })

describe("what a refund is to revoke", () => {
  it.effect("comes from its service's policy and the payment's items, or from the request", () =>
    Effect.gen(function* () {
      yield* withPolicy
      const byPolicy = yield* planRevocations(as(seller), intent, half, undefined)
      expect(byPolicy.targets).toStrictEqual([
        { type: "access_token", id: "token-1", scope: "read:detail" },
      ])
      const byRequest = yield* planRevocations(as(seller), intent, intent.amount, revoke)
      expect(byRequest.targets).toStrictEqual([{ type: "session", id: "s1", scope: "all" }])
      const none = yield* planRevocations(as(seller), intent, half, { auto_revoke: false })
      expect(none.targets).toStrictEqual([])
    }).pipe(Effect.provide(revocationWorld())),
  )

  for (const status of ["pending", "revoked", "expired"] as const) {
    it.effect(`is nothing that a partial refund can name once all access is ${status}`, () =>
      Effect.gen(function* () {
        yield* withPolicy
        yield* allRevoked(status)
        const refused = yield* codeOf(planRevocations(as(seller), intent, half, revoke))
        expect(refused).toBe("refund_exceeds_revocable")
        expect(yield* codeOf(planRevocations(as(seller), intent, intent.amount, revoke))).toBe(
          "succeeded",
        )
        expect(yield* codeOf(planRevocations(as(seller), intent, half, undefined))).toBe(
          "succeeded",
        )
        const off = { ...revoke, auto_revoke: false }
        expect(yield* codeOf(planRevocations(as(seller), intent, half, off))).toBe("succeeded")
      }).pipe(Effect.provide(revocationWorld())),
    )
  }

  it.effect("is not used up by a revocation that failed", () =>
    Effect.gen(function* () {
      yield* allRevoked("failed")
      expect(yield* codeOf(planRevocations(as(seller), intent, half, revoke))).toBe("succeeded")
    }).pipe(Effect.provide(revocationWorld())),
  )

  it.effect("is dropped with a refund that fails, which frees what it was to take", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const refund = id("ref", 1)
      yield* planned(refund, planOf(tokens("t1", "t2")))
      const status = ["pending", "revoked", "expired"] as const
      const by = { payment_intent: intent.id, scope: "all", status }
      expect(yield* store.list("revocation", { by })).toHaveLength(2)
      yield* store.commit({ writes: yield* dropRevocations(refund) })
      expect(yield* store.list("revocation", { by: { refund } })).toStrictEqual([])
      expect(yield* store.list("revocation", { by })).toStrictEqual([])
      expect(yield* store.nextDueAt()).toBeUndefined()
    }).pipe(Effect.provide(revocationWorld())),
  )
})
