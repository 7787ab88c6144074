import { describe, expect, it, test } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { draft, step } from "../../../core/invoices/Invoice.ts"
import type { Subscription } from "../../../core/invoices/Subscription.ts"
import { termsOf } from "../../../core/invoices/SubscriptionTerms.ts"
import { NOTHING_REFUNDED } from "../../../core/payments/Refunded.ts"
import { DAY, MINUTE } from "../../../core/shared/Timestamp.ts"
import { cancelSubscription } from "../../../core/subscriptions/cancelSubscription.ts"
import {
  proveSubscription,
  redeemSubscription,
} from "../../../core/subscriptions/proveSubscription.ts"
import { voidInvoice } from "../../../core/subscriptions/voidInvoice.ts"
import {
  proofCounter,
  subscriptionStanding,
} from "../../../core/subscriptions/SubscriptionProof.ts"
import { intentIn, T0, uuid } from "../../support/records.ts"
import { as, buyer, codeOf, seller, stranger } from "../../support/world.ts"
import { workWorld } from "../work/workWorld.ts"
import { paid, seedSold, service, subscribed } from "./billingWorld.ts"

const running: Subscription = {
  id: `sub_${uuid(7)}`,
  version: 1,
  account_id: buyer.id,
  payee_account_id: seller.id,
  service_id: service.id,
  plan_id: "pro",
  plan_name: "The pro",
  interval: "monthly",
  amount: { currency: "USD", value: 1_999 },
  payer: { agent_id: "agent", human_id: null },
  anchor_at: T0,
  period: 1,
  current_period_start: T0,
  current_period_end: T0 + 30 * DAY,
  cancel_at_period_end: false,
  latest_invoice: `inv_${uuid(8)}`,
  created_at: T0,
  due_at: T0 + 30 * DAY,
  status: "active",
}
const open = draft(running.latest_invoice, termsOf(running), T0)
const settled = Result.getOrThrow(step(open, { type: "paid", at: T0 })).record
const forgiven = Result.getOrThrow(step(open, { type: "voided", at: T0 })).record
const whole = intentIn("succeeded")
const back = { ...whole, refunded: { ...NOTHING_REFUNDED, value: whole.amount.value } }

describe("how a subscription stands", () => {
  test.each<[string, Subscription, typeof open | undefined, typeof whole | undefined, number]>([
    ["paid", running, settled, whole, T0],
    ["paid", { ...running, cancel_at_period_end: true }, settled, whole, T0 + 30 * DAY - 1],
    ["lapsed", running, settled, whole, T0 + 30 * DAY],
    ["unpaid", running, open, undefined, T0],
    // Its seller has forgiven the period.
    ["paid", running, forgiven, undefined, T0],
    ["refunded", running, settled, back, T0],
    // A free period has no invoice: the newest is of the one before.
    ["paid", { ...running, period: 2 }, open, undefined, T0],
    ["past_due", { ...running, status: "past_due", past_due_at: T0 }, settled, whole, T0],
    [
      "cancelled",
      { ...running, status: "cancelled", cancelled_at: T0, cancel_reason: "requested" },
      settled,
      whole,
      T0,
    ],
  ])("%s", (standing, subscription, invoice, payment, now) => {
    expect(subscriptionStanding(subscription, invoice, payment, now)).toBe(standing)
  })

  test("a used proof is counted under the day on which it expires, to be forgotten", () => {
    expect(proofCounter("hash", T0)).toMatch(/^subscription_proof:hash:\d{4}-\d\d-\d\d$/)
  })
})

const proven = Effect.gen(function* () {
  yield* seedSold()
  const { id, payment } = yield* subscribed()
  const early = yield* codeOf(proveSubscription(as(buyer), id, { challenge: "a" }))
  expect(early).toBe("PAYMENT_REQUIRED")
  yield* paid(payment.id)
  const { expires_at, token } = yield* proveSubscription(as(buyer), id, { challenge: "a" })
  const bound = { service_id: service.id, plan_id: "pro", challenge: "a", token, expires_at }
  const show = (said: object = {}, account = seller) =>
    redeemSubscription(as(account), id, { ...bound, ...said })
  return { id, payment: payment.id, show }
})

const plain = () => workWorld()

describe("the proof of a subscription", () => {
  it.effect("is accepted once, of fifty at once, and names the payment of the period", () =>
    Effect.gen(function* () {
      const { id, payment, show } = yield* proven
      const all = yield* Effect.all(
        Array.from({ length: 50 }, () => Effect.result(show())),
        { concurrency: "unbounded" },
      )
      const passed = all.filter(Result.isSuccess)
      expect(passed.map(({ success }) => success)).toMatchObject([
        { subscription: id, payment_intent: payment, plan_id: "pro" },
      ])
      expect(yield* codeOf(show())).toBe("PAYMENT_PROOF_USED")
    }).pipe(Effect.provide(plain())),
  )

  it.effect("is good for its seller, plan, challenge and time alone", () =>
    Effect.gen(function* () {
      const { id, show } = yield* proven
      for (const said of [
        { token: "0".repeat(64) },
        { challenge: "b" },
        { plan_id: "day" },
        { service_id: uuid(2) },
        { expires_at: "2099-01-01T00:00:00.000Z" },
      ]) {
        expect(yield* codeOf(show(said))).toBe("PAYMENT_PROOF_INVALID")
      }
      for (const account of [buyer, stranger]) {
        expect(yield* codeOf(show({}, account))).toBe("PAYMENT_PROOF_INVALID")
      }
      expect(yield* codeOf(proveSubscription(as(seller), id, { challenge: "a" }))).toBe("FORBIDDEN")
      expect(yield* codeOf(proveSubscription(as(stranger), id, { challenge: "a" }))).toBe(
        "NOT_FOUND",
      )
      yield* TestClock.adjust(5 * MINUTE)
      expect(yield* codeOf(show())).toBe("PAYMENT_REQUIRED")
    }).pipe(Effect.provide(plain())),
  )

  it.effect("names no payment where the seller has forgiven the period", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const { id, latest_invoice } = yield* subscribed()
      yield* voidInvoice(as(seller), latest_invoice)
      const asked = { challenge: "a" }
      const { expires_at, token } = yield* proveSubscription(as(buyer), id, asked)
      const shown = { service_id: service.id, plan_id: "pro", ...asked, token, expires_at }
      expect(yield* redeemSubscription(as(seller), id, shown)).toMatchObject({
        subscription: id,
        payment_intent: null,
      })
    }).pipe(Effect.provide(plain())),
  )

  it.effect("proves nothing once the subscription has ended", () =>
    Effect.gen(function* () {
      const { id, show } = yield* proven
      yield* cancelSubscription(as(buyer), id, { now: "true" })
      expect(yield* codeOf(show())).toBe("PAYMENT_REQUIRED")
    }).pipe(Effect.provide(plain())),
  )
})
