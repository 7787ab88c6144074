import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { callTool } from "../../../core/agents/callTool.ts"
import { PURCHASE_WINDOW } from "../../../core/agents/answerPurchase.ts"
import { putInstall } from "../../../core/installs/putInstall.ts"
import { payOnce, subscribeTo } from "../../../core/market/buy.ts"
import { Store } from "../../../core/ports/Store.ts"
import { moveService } from "../../../core/registry/moveService.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, codeOf, seller, stranger, world } from "../../support/world.ts"
import { seedSold, service } from "../subscriptions/billingWorld.ts"

/** The seller changes its first price. */
const reprice = Effect.fnUntraced(function* (amount: number) {
  const store = yield* Store
  const found = yield* store.find("service", service.id)
  if (found === undefined) return yield* Effect.die("The service is missing.")
  const one_time = [{ amount, currency: "USD", label: "One answer" }]
  const record = {
    ...found,
    pricing: { ...found.pricing, one_time },
    updated_at: yield* Clock.currentTimeMillis,
  }
  yield* store.commit({ writes: [{ op: "replace", kind: "service", record }] })
})

const allowed = putInstall(as(buyer), service.id, {
  auto_pay_limit: { currency: "USD", value: 5_000 },
})

const { id } = service
const tool = callTool(as(buyer), `${id}__pay_one_time`, { manifest_id: id })
const market = payOnce(as(buyer), { service_id: id })
const pause = moveService(as(seller), id, "pause")

describe("a call that leaves the amount to the seller, repeated after the price changed", () => {
  it.effect.each([
    ["the tool", tool],
    ["the market", market],
  ] as const)("is the same purchase within its minute, by %s", ([, call]) => {
    const script = makeScript()
    const debits = () => script.calls.filter(({ action }) => action === "debit")
    return Effect.gen(function* () {
      yield* seedSold()
      yield* TestClock.adjust(PURCHASE_WINDOW * 2)
      yield* allowed
      yield* call
      yield* TestClock.adjust(5_000)
      yield* reprice(700)
      expect(yield* call).toMatchObject({ replayed: true })
      expect(debits()).toHaveLength(1)
      yield* TestClock.adjust(PURCHASE_WINDOW)
      yield* call
      expect(debits().map(({ amount }) => amount)).toMatchObject([{ value: 699 }, { value: 700 }])
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("is another request under a key, and pays nothing", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* seedSold()
      yield* allowed
      const keyed = payOnce(as(buyer), { service_id: id, idempotency_key: "my-key" })
      yield* keyed
      yield* reprice(700)
      expect(yield* codeOf(keyed)).toBe("IDEMPOTENCY_KEY_USED")
      expect(script.calls.filter(({ action }) => action === "debit")).toHaveLength(1)
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("is another purchase if it names the new price", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* seedSold()
      yield* allowed
      yield* market
      yield* reprice(700)
      const other = yield* payOnce(as(buyer), { service_id: id, amount: 700, currency: "USD" })
      expect(other).not.toHaveProperty("replayed")
      expect(script.calls.filter(({ action }) => action === "debit")).toHaveLength(2)
    }).pipe(Effect.provide(world(script)))
  })
})

describe("a purchase at a service that has been paused since", () => {
  it.effect("is answered again, and a new one is refused", () =>
    Effect.gen(function* () {
      yield* seedSold()
      yield* allowed
      const keyed = payOnce(as(buyer), { service_id: id, idempotency_key: "my-key" })
      const plan = { service_id: id, plan_id: "pro", idempotency_key: "my-plan" }
      const paid = yield* keyed
      const { subscription_id } = yield* subscribeTo(as(buyer), plan)
      const bought = yield* tool
      yield* pause
      expect(yield* keyed).toMatchObject({ replayed: true, payment_id: paid.payment_id })
      expect(yield* subscribeTo(as(buyer), plan)).toMatchObject({ replayed: true, subscription_id })
      expect(yield* tool).toStrictEqual({ ...bought, replayed: true })
      const other = { service_id: id, idempotency_key: "another" }
      expect(yield* codeOf(payOnce(as(buyer), other))).toBe("NOT_FOUND")
      const reused = { service_id: id, amount: 700, idempotency_key: "my-key" }
      expect(yield* codeOf(payOnce(as(buyer), reused))).toBe("IDEMPOTENCY_KEY_USED")
      const wrong = { service_id: id, amount: 1, currency: "XXX" }
      for (const caller of [buyer, stranger]) {
        expect(yield* codeOf(payOnce(as(caller), wrong))).toBe("NOT_FOUND")
        const none = { service_id: id, plan_id: "none" }
        expect(yield* codeOf(subscribeTo(as(caller), none))).toBe("NOT_FOUND")
        const hidden = callTool(as(caller), `${id}__pay_cumulative`, { manifest_id: "other" })
        expect(yield* codeOf(hidden)).toBe("NOT_FOUND")
      }
    }).pipe(Effect.provide(world(makeScript()))),
  )
})
