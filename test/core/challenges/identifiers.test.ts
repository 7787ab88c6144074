import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { openChallenge } from "../../../core/challenges/openChallenge.ts"
import { redeemProof, settleProof } from "../../../core/challenges/redeemProof.ts"
import { verifyProof } from "../../../core/challenges/verifyProof.ts"
import { Store } from "../../../core/ports/Store.ts"
import { uuid } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, callback, codeOf, deliver, seed, seller, world } from "../../support/world.ts"

const ID = "purchase_00000001"
const OTHER = "purchase_00000002"
const bound = {
  service_id: uuid(1),
  amount: { currency: "USD", value: 699 },
  resource: "GET /reports/7",
}

/** A payment that the paid endpoint has demanded. */
const asked = Effect.fnUntraced(function* () {
  const { payment_intent } = yield* openChallenge(as(seller), bound)
  const { id, token } = payment_intent
  const under = (payment_identifier?: string) => ({
    ...bound,
    token,
    ...(payment_identifier !== undefined && { payment_identifier }),
  })
  return {
    id,
    show: (identifier?: string) => redeemProof(as(seller), id, under(identifier)),
    verify: (identifier?: string) => verifyProof(as(seller), id, under(identifier)),
    settle: (identifier?: string, repeated = true) =>
      settleProof(as(seller), id, { ...under(identifier), repeated }),
  }
})

const authorized = Effect.fnUntraced(function* () {
  const payment = yield* asked()
  const { id } = payment
  const trade = { out_trade_no: id, trade_no: `trade-of-${id}` }
  for (const trade_status of ["SCANNED", "AUTHORIZED"] as const) {
    yield* deliver(callback({ ...trade, trade_status, payer_id: "hum-1", wallet_id: "wal-1" }))
  }
  return payment
})

const statusOf = Effect.fnUntraced(function* (id: string) {
  return (yield* (yield* Store).find("payment_intent", id))?.status
})

const plain = () => world(makeScript())

describe("a purchase under an identifier", () => {
  it.effect("is made once, and told of again for an hour", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* seed()
      const { show } = yield* authorized()
      const first = yield* show(ID)
      expect(first.repeated).toBe(false)
      expect(yield* show(ID)).toEqual({ ...first, repeated: true })
      expect(yield* codeOf(show())).toBe("PAYMENT_PROOF_USED")
      expect(yield* codeOf(show(OTHER))).toBe("PAYMENT_PROOF_USED")
      expect(script.calls).toHaveLength(1)
      yield* TestClock.adjust("1 hour")
      expect(yield* codeOf(show(ID))).toBe("PAYMENT_PROOF_USED")
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("is no other payment: that one is refused, and not taken", () =>
    Effect.gen(function* () {
      yield* seed()
      const one = yield* authorized()
      const two = yield* authorized()
      yield* one.show(ID)
      for (const verb of [two.show, two.verify, two.settle]) {
        expect(yield* codeOf(verb(ID))).toBe("PAYMENT_IDENTIFIER_USED")
      }
      expect(yield* statusOf(two.id)).toBe("authorized")
      expect(yield* codeOf(two.show(OTHER))).toBe("succeeded")
    }).pipe(Effect.provide(plain())),
  )

  it.effect("is one of ten payments that are shown under it at once", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* seed()
      const all = yield* Effect.all(Array.from({ length: 10 }, authorized))
      const codes = yield* Effect.all(
        all.map(({ settle }) => codeOf(settle(ID))),
        { concurrency: "unbounded" },
      ).pipe(Effect.race(Effect.andThen(TestClock.adjust("10 seconds"), Effect.never)))
      expect(codes.toSorted()).toEqual([
        ...Array<string>(9).fill("PAYMENT_IDENTIFIER_USED"),
        "succeeded",
      ])
      expect(script.calls).toHaveLength(1)
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("takes no identifier as long as its payment is not made", () =>
    Effect.gen(function* () {
      yield* seed()
      const slip = yield* asked()
      const paid = yield* authorized()
      expect(yield* codeOf(slip.show(ID))).toBe("PAYMENT_REQUIRED")
      expect(yield* codeOf(paid.show(ID))).toBe("succeeded")
    }).pipe(Effect.provide(plain())),
  )

  it.effect("keeps its identifier while nobody knows whether it was paid", () => {
    const script = makeScript()
    script.answer = () => Effect.succeed({ type: "refused", message: "try later" })
    return Effect.gen(function* () {
      yield* seed()
      const one = yield* authorized()
      const two = yield* authorized()
      expect(yield* codeOf(one.show(ID))).toBe("PAYMENT_UNRESOLVED")
      script.answer = makeScript().answer
      expect(yield* codeOf(two.show(ID))).toBe("PAYMENT_IDENTIFIER_USED")
      expect(yield* codeOf(one.show(OTHER))).toBe("PAYMENT_PROOF_INVALID")
      expect(yield* one.show(ID)).toMatchObject({ repeated: false })
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("is settled the same however often it is asked for", () =>
    Effect.gen(function* () {
      yield* seed()
      const { settle, verify } = yield* authorized()
      yield* verify(ID)
      const settled = yield* settle(ID)
      expect(yield* settle(ID)).toEqual(settled)
      // A settlement under another Idempotency-Key is to open another response.
      expect(yield* codeOf(settle(ID, false))).toBe("PAYMENT_PROOF_USED")
      expect(yield* codeOf(verify(ID))).toBe("PAYMENT_PROOF_USED")
    }).pipe(Effect.provide(plain())),
  )
})
