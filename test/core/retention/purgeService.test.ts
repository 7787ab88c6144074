import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { captureIntent } from "../../../core/payments/captureIntent.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { Revoker } from "../../../core/ports/Revoker.ts"
import { Store } from "../../../core/ports/Store.ts"
import { createRefund } from "../../../core/refunds/createRefund.ts"
import { settleRefund } from "../../../core/refunds/refundOutcome.ts"
import { deleteService, moveService } from "../../../core/registry/moveService.ts"
import { purgeService } from "../../../core/retention/purgeService.ts"
import { executeRevocation } from "../../../core/revocations/executeRevocation.ts"
import { registerAccessItem } from "../../../core/revocations/registerAccessItem.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import { payInvoice } from "../../../core/subscriptions/payInvoice.ts"
import { reportUsage } from "../../../core/subscriptions/reportUsage.ts"
import { getTab, startUsage } from "../../../core/subscriptions/startUsage.ts"
import { makeScript, type Script } from "../../support/scriptedChannels.ts"
import { as, buyer, callback, codeOf, deliver, seller, world } from "../../support/world.ts"
import { invoicesOf, paid, pass, seedSold, service, work } from "../subscriptions/billingWorld.ts"

/** Lets a worker look after services that are due. */
const look = Effect.fnUntraced(function* () {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  const due = yield* store.claimDue("service", now, { limit: 10, lease: 1_000 })
  yield* Effect.forEach(due, purgeService)
})

/** Lets a worker make the revocations that are due. */
const revoke = Effect.fnUntraced(function* () {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  const due = yield* store.claimDue("revocation", now, { limit: 10, lease: 1_000 })
  yield* Effect.forEach(due, executeRevocation)
})

/** Lets days pass, with all workers. */
const days = Effect.fnUntraced(function* (count: number) {
  for (let day = 0; day < count; day++) {
    yield* pass(1)
    yield* look()
  }
})

const isKept = Effect.flatMap(Store, (store) =>
  Effect.map(store.find("service", service.id), (found) => found !== undefined),
)

const deleted = Effect.fnUntraced(function* () {
  yield* moveService(as(seller), service.id, "deprecate")
  yield* TestClock.adjust(30 * DAY)
  yield* work()
  yield* deleteService(as(seller), service.id)
  yield* look()
})

const cumulative = { unit: "request", rate: "100", billing_cycle: "quarterly" }
const byUse = { pricing: { cumulative }, payment_methods: { cumulative: true } }

const used = (idempotency_key: string, occurred_at?: string) =>
  reportUsage(as(seller), service.id, {
    agent_id: "buyer-agent",
    quantity: 50,
    idempotency_key,
    ...(occurred_at !== undefined && { occurred_at }),
  })

/** The seller's service, which revokes licences by its policy, and a payment for it. */
const soldLicence = Effect.gen(function* () {
  const default_targets = [{ type: "license_key", scope: "all" }] as const
  const revoke_url = "https://seller.test/revoke"
  yield* seedSold({
    revocation_policy: { auto_revoke_on_refund: true, default_targets, revoke_url },
  })
  const { id } = yield* createIntent(as(buyer), {
    service_id: service.id,
    amount: { currency: "USD", value: 1_000 },
    description: "A licence",
    type: "one_time",
    payer_channel: "wallet_a",
  })
  const say = (trade_status: "AUTHORIZED" | "SUCCESS") =>
    deliver(callback({ out_trade_no: id, trade_status, total_amount: "10.00" }))
  yield* say("AUTHORIZED")
  yield* captureIntent(as(seller), id)
  yield* say("SUCCESS")
  return id
})

const licence = { type: "license_key", id: "LIC-1", scopes: ["all"] } as const

/** Refunds the whole payment, which its channel does not confirm yet. Returns the request's id. */
const refunding = Effect.fnUntraced(function* (script: Script, payment_intent: string) {
  script.answer = () => Effect.succeed({ type: "pending" })
  const { status } = yield* createRefund(as(seller), { payment_intent })
  expect(status).toBe("pending")
  return script.calls.at(-1)?.number ?? ""
})

describe("a deleted service", () => {
  it.effect("has its tabs closed and billed, and stays until their bills are paid", () =>
    Effect.gen(function* () {
      yield* seedSold(byUse)
      yield* startUsage(as(buyer), service.id, {})
      yield* used("before")
      yield* deleted()
      const tab = yield* getTab(as(buyer), service.id, {})
      expect(tab).toMatchObject({ status: "closed", reports_until: "2026-02-01T00:00:00.000Z" })
      expect(yield* codeOf(used("after"))).toBe("USAGE_NOT_STARTED")
      yield* used("late", "2026-01-30T12:00:00Z")
      yield* days(1)
      const [invoice] = yield* invoicesOf()
      expect(invoice).toMatchObject({ status: "open", amount: { value: 10_000 } })
      yield* days(9)
      yield* paid((yield* payInvoice(as(buyer), invoice?.id ?? "")).id, "100.00")
      expect((yield* invoicesOf())[0]?.status).toBe("paid")
    }).pipe(Effect.provide(world(makeScript())), Effect.orDie),
  )

  it.effect("stays while workers that were away have not billed its tabs", () =>
    Effect.gen(function* () {
      yield* seedSold(byUse)
      yield* startUsage(as(buyer), service.id, {})
      yield* used("before")
      yield* deleted()
      yield* TestClock.adjust(30 * DAY)
      yield* look()
      expect(yield* isKept).toBe(true)
      yield* work()
      yield* TestClock.adjust(DAY)
      yield* look()
      expect(yield* isKept).toBe(true)
      const [invoice] = yield* invoicesOf()
      expect(yield* codeOf(payInvoice(as(buyer), invoice?.id ?? ""))).toBe("succeeded")
      // The invoice is given up: nobody collects it any more, and nothing can be refunded.
      yield* days(14)
      expect((yield* invoicesOf())[0]?.status).toBe("uncollectible")
      yield* days(2)
      expect(yield* isKept).toBe(false)
    }).pipe(Effect.provide(world(makeScript())), Effect.orDie),
  )

  for (const [what, refunds] of [
    ["can be refunded, which then revokes by its policy", true],
    ["can be refunded, and not for ever", false],
  ] as const) {
    it.effect(`stays while a payment ${what}`, () =>
      Effect.gen(function* () {
        const id = yield* soldLicence
        yield* registerAccessItem(as(seller), { ...licence, payment_intent: id })
        yield* deleted()
        yield* TestClock.adjust(31 * DAY)
        yield* look()
        expect(yield* isKept).toBe(true)
        yield* TestClock.adjust(120 * DAY)
        yield* look()
        expect(yield* isKept).toBe(true)
        if (refunds) {
          const { revocations } = yield* createRefund(as(seller), { payment_intent: id })
          expect(revocations).toMatchObject([{ target_type: "license_key", target_id: "LIC-1" }])
          yield* revoke()
        }
        yield* TestClock.adjust(365 * DAY)
        yield* look()
        expect(yield* isKept).toBe(false)
        expect(yield* codeOf(createRefund(as(seller), { payment_intent: id }))).not.toBe(
          "succeeded",
        )
      }).pipe(Effect.provide(world(makeScript())), Effect.orDie),
    )
  }

  it.effect("stays while a revocation of a wholly refunded payment is pending", () => {
    const script = makeScript()
    const asked: Array<string | null> = []
    const revoker = {
      revoke: ({ revoke_url }: { readonly revoke_url: string | null }) =>
        Effect.sync(() => (asked.push(revoke_url), { type: "revoked" as const })),
    }
    return Effect.gen(function* () {
      const id = yield* soldLicence
      yield* registerAccessItem(as(seller), { ...licence, payment_intent: id })
      const number = yield* refunding(script, id)
      yield* deleted()
      // No window is open any more, and the channel has not answered yet.
      yield* TestClock.adjust(500 * DAY)
      yield* look()
      expect(yield* isKept).toBe(true)
      yield* settleRefund(number, { type: "done", at: 0, trade_no: "given back" })
      yield* TestClock.adjust(DAY)
      yield* look()
      expect(yield* isKept).toBe(true)
      yield* revoke()
      expect(asked).toEqual(["https://seller.test/revoke"])
      yield* TestClock.adjust(DAY)
      yield* look()
      expect(yield* isKept).toBe(false)
    }).pipe(Effect.provideService(Revoker, revoker), Effect.provide(world(script)), Effect.orDie)
  })

  it.effect("stays while a refund of the whole payment can still fail", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const id = yield* soldLicence
      const number = yield* refunding(script, id)
      yield* deleted()
      yield* TestClock.adjust(31 * DAY)
      yield* look()
      expect(yield* isKept).toBe(true)
      yield* settleRefund(number, { type: "refused", message: "closed" })
      yield* registerAccessItem(as(seller), { ...licence, payment_intent: id })
      yield* TestClock.adjust(DAY)
      yield* look()
      const { revocations } = yield* createRefund(as(seller), { payment_intent: id })
      expect(revocations).toMatchObject([{ target_type: "license_key", target_id: "LIC-1" }])
    }).pipe(Effect.provide(world(script)), Effect.orDie)
  })
})
