import { Effect } from "effect"
import { expect } from "../expect.ts"
import { type ListQuery, Store } from "../../../../core/ports/Store.ts"
import { aChannelRequest, id, intentIn, refundIn } from "../records/index.ts"
import { type StoreCheck, insert, store } from "./probe.ts"

const refunds = [
  refundIn("pending", { n: 1 }),
  refundIn("succeeded", {
    n: 2,
    settlement: { currency: "JPY", value: 30_000 },
    fx_spread: { currency: "JPY", value: 90 },
    service_fee: { currency: "JPY", value: 150 },
    partial: false,
    reason: "Not delivered, 'sorry' 🦊",
    description: "Many\nlines",
    revoke: { targets: [{ type: "access_token", id: "t-1" }], webhook_notify: false },
  }),
  refundIn("failed", { n: 3, payee_account_id: id("acct", 2), payment_intent: id("pi", 2) }),
  refundIn("pending", {
    n: 5,
    payment_intent: id("pi", 3),
    payee_account_id: id("acct", 4),
    settlement: { currency: "KWD", value: 0 },
    fx_spread: { currency: "KWD", value: 0 },
    service_fee: { currency: "KWD", value: 1 },
  }),
  refundIn("pending", { n: 4, payee_account_id: id("acct", 2) }),
]

/** Checks refunds, and what payments and refund requests know about them. */
export const refundReads = (check: StoreCheck): unknown =>
  check.group("refunds", () => {
    check("are given back as they were stored, in every state", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(...refunds.map((refund) => insert("refund", refund)))
        for (const refund of refunds) {
          expect(yield* port.find("refund", refund.id)).toStrictEqual(refund)
        }
        expect(yield* port.find("refund", id("ref", 9))).toBeUndefined()
      }),
    )

    check("are listed newest first, by payment and by payee", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(...refunds.map((refund) => insert("refund", refund)))
        const listed = (query: ListQuery<"refund">) =>
          Effect.map(port.list("refund", query), (found) => found.map((refund) => refund.id))
        const of = (...numbers: ReadonlyArray<number>) => numbers.map((n) => id("ref", n))
        const intent = { by: { payment_intent: id("pi", 1) } }
        expect(yield* listed({ ...intent, limit: 9 })).toStrictEqual(of(4, 2, 1))
        expect(yield* listed({ ...intent, limit: 2 })).toStrictEqual(of(4, 2))
        const behind = { ...intent, after: id("ref", 2), limit: 9 }
        expect(yield* listed(behind)).toStrictEqual(of(1))
        const payee = (n: number) => ({ by: { payee_account_id: id("acct", n) }, limit: 9 })
        expect(yield* listed(payee(2))).toStrictEqual(of(4, 3))
        expect(yield* listed(payee(3))).toStrictEqual([])
        expect(yield* listed({ by: { payment_intent: "pi_'; --" }, limit: 9 })).toStrictEqual([])
      }),
    )

    check("stand in the sums of their payment and in the request that makes them", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const refunded = { value: 200, settlement: 199, fx_spread: 0, service_fee: 1, partials: 2 }
        const intent = intentIn("succeeded", { refunded })
        const request = aChannelRequest({ action: "refund", refund: id("ref", 1) })
        yield* store(insert("payment_intent", intent), insert("channel_request", request))
        expect(yield* port.find("payment_intent", intent.id)).toStrictEqual(intent)
        expect(yield* port.find("channel_request", request.id)).toStrictEqual(request)
      }),
    )
  })
