import { describe, expect, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { voidIntent } from "../../../core/payments/endIntent.ts"
import { getIntent } from "../../../core/payments/getIntent.ts"
import { Store } from "../../../core/ports/Store.ts"
import { DAY, toIso } from "../../../core/shared/Timestamp.ts"
import { cancelSubscription } from "../../../core/subscriptions/cancelSubscription.ts"
import {
  getInvoice,
  getSubscription,
  listInvoices,
} from "../../../core/subscriptions/listInvoices.ts"
import { payInvoice } from "../../../core/subscriptions/payInvoice.ts"
import { startUsage } from "../../../core/subscriptions/startUsage.ts"
import { subscribe } from "../../../core/subscriptions/subscribe.ts"
import { T0, uuid } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, codeOf, seller, stranger, world } from "../../support/world.ts"
import { invoicesOf, paid, seedSold, service, subscribed, told, work } from "./billingWorld.ts"

const inWorld = <A, E>(name: string, test: () => Effect.Effect<A, E>) => it.effect(name, test)

describe("subscribing", () => {
  inWorld("begins the first period, with its invoice and the payment that is to pay it", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const made = yield* subscribed()
      expect(made).toMatchObject({
        service_id: service.id,
        plan_id: "pro",
        interval: "monthly",
        amount: { currency: "USD", value: 1_999 },
        status: "active",
        payer: { agent_id: "buyer-agent", human_id: null },
        current_period_start: "2026-01-01T00:00:00.000Z",
        current_period_end: "2026-02-01T00:00:00.000Z",
        cancel_at_period_end: false,
      })
      const [invoice, ...others] = yield* invoicesOf()
      expect(others).toStrictEqual([])
      expect(invoice).toMatchObject({
        id: made.latest_invoice,
        subscription: made.id,
        agent_id: "buyer-agent",
        status: "open",
        lines: [{ description: "The pro", quantity: "1", unit_amount: "1999" }],
        amount: { currency: "USD", value: 1_999 },
        due_at: "2026-01-08T00:00:00.000Z",
      })
      const payment = yield* getIntent(as(seller), invoice?.payment_intent ?? "")
      expect(payment).toMatchObject({
        status: "pending",
        invoice: made.latest_invoice,
        description: "The pro, 2026-01-01 to 2026-02-01",
        expires_at: "2026-01-02T00:00:00.000Z",
        fees: { service: { value: 10 }, channel: { value: 12 } },
      })
      expect(payment.deeplink).toMatch(/^svc:\/\/pay\/pi_/)
      expect(yield* told(made.id)).toStrictEqual(["subscription.created"])
      expect(yield* told(made.latest_invoice)).toStrictEqual(["invoice.created"])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("costs the price that the caller agrees to, or nothing", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const at = (value: number, said: object = { interval: "monthly" }) =>
        subscribe(as(buyer), service.id, {
          plan_id: "pro",
          amount: { currency: "USD", value },
          ...said,
        })
      expect(yield* codeOf(at(1_998))).toBe("INVALID_AMOUNT")
      // The same price thirty times as often is another price.
      expect(yield* codeOf(at(1_999, { interval: "daily" }))).toBe("INVALID_REQUEST")
      expect(yield* Effect.flip(at(1_999, {}))).toMatchObject({
        code: "INVALID_REQUEST",
        details: [
          {
            field: "interval",
            reason: "is required with `amount`, which is paid every interval (here monthly)",
          },
        ],
      })
      expect(yield* invoicesOf()).toStrictEqual([])
      expect((yield* at(1_999)).amount).toEqual({ currency: "USD", value: 1_999 })
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("needs the payer's name with a seller's key, whose own agent is who is paid", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const plan = { plan_id: "pro" } as const
      for (const payer of [undefined, {}, { human_id: "h_1" }]) {
        const said = payer === undefined ? {} : { payer }
        const refused = subscribe(as(seller), service.id, { ...plan, ...said })
        expect(yield* codeOf(refused)).toBe("INVALID_PAYER")
        expect(yield* codeOf(startUsage(as(seller), service.id, said))).toBe("INVALID_PAYER")
      }
      expect(yield* invoicesOf({}, as(seller))).toStrictEqual([])
      const named = { ...plan, payer: { agent_id: "reader" } }
      // Its name is accepted, and its level does not allow the price.
      const beyond = subscribe(as(seller), service.id, named)
      expect(yield* codeOf(beyond)).toBe("INSUFFICIENT_KYC")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  const linking = makeScript()
  inWorld(
    "asks the channel for the price that is stored, when the seller changes it meanwhile",
    () =>
      Effect.gen(function* () {
        yield* seedSold()
        const store = yield* Store
        let changes = 1
        const changing = Store.of({
          ...store,
          commit: (commit) =>
            Effect.gen(function* () {
              const record = changes-- > 0 ? yield* store.find("service", service.id) : undefined
              if (record !== undefined) {
                const dearer = (record.pricing.subscription ?? []).map((plan) => ({
                  ...plan,
                  amount: plan.amount + 1_000,
                }))
                const pricing = { ...record.pricing, subscription: dearer }
                const write = {
                  op: "replace",
                  kind: "service",
                  record: { ...record, pricing },
                } as const
                yield* store.commit({ writes: [write] })
              }
              return yield* store.commit(commit)
            }),
        })
        const made = yield* subscribed().pipe(Effect.provideService(Store, changing))
        expect(made.amount).toEqual({ currency: "USD", value: 2_999 })
        expect(made.payment.amount).toEqual(made.amount)
        const asked = linking.charges.filter(({ out_trade_no }) => out_trade_no === made.payment.id)
        expect(asked.map(({ amount }) => amount.value)).toEqual([2_999])
        yield* paid(made.payment.id, "29.99")
        expect(yield* getIntent(as(buyer), made.payment.id)).toMatchObject({ status: "completed" })
      }).pipe(Effect.provide(world(linking))),
  )

  inWorld("is refused for what the service does not sell, and by its limits", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const as_ = (said: object) =>
        codeOf(subscribe(as(buyer), service.id, { plan_id: "pro", ...said }))
      expect(yield* as_({ plan_id: "none" })).toBe("INVALID_REQUEST")
      expect(yield* as_({ interval: "daily" })).toBe("INVALID_REQUEST")
      expect(yield* as_({ payer: { agent_id: "stranger-agent" } })).toBe("INSUFFICIENT_KYC")
      expect(yield* as_({ payer: { agent_id: "nobody-yet" } })).toBe("INSUFFICIENT_KYC")
      expect(yield* codeOf(subscribe(as(buyer), uuid(9), { plan_id: "pro" }))).toBe("NOT_FOUND")
      expect(yield* codeOf(subscribe(as(buyer), "x'", { plan_id: "pro" }))).toBe("NOT_FOUND")
      expect(yield* as_({ interval: "monthly" })).toBe("succeeded")
      expect(yield* invoicesOf()).toHaveLength(1)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("to a plan is done once by each agent, until it has ended", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const racers = Array.from({ length: 5 }, () => Effect.result(subscribed()))
      const outcomes = yield* Effect.all(racers, { concurrency: "unbounded" })
      const made = outcomes.filter(Result.isSuccess).map(({ success }) => success)
      expect(made).toHaveLength(1)
      const id = made[0]?.id ?? ""
      for (const { failure } of outcomes.filter(Result.isFailure)) {
        expect(failure).toMatchObject({
          code: "ALREADY_SUBSCRIBED",
          details: { subscription: id, status: "active", plan_id: "pro", agent_id: "buyer-agent" },
        })
      }
      expect(yield* invoicesOf()).toHaveLength(1)
      yield* subscribed("year")
      yield* subscribed("pro", as(stranger))
      // The subscription runs until its period ends, and blocks its name until then.
      yield* cancelSubscription(as(buyer), id, {})
      expect(yield* codeOf(subscribed())).toBe("ALREADY_SUBSCRIBED")
      yield* TestClock.setTime(T0 + 31 * DAY)
      const again = yield* subscribed()
      expect((yield* getSubscription(as(buyer), id)).status).toBe("cancelled")
      yield* cancelSubscription(as(buyer), again.id, { now: "true" })
      expect((yield* subscribed()).id).not.toBe(again.id)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  for (const status of ["draft", "paused", "deprecated", "deleted"] as const) {
    const code = status === "deprecated" ? "SERVICE_NOT_ACTIVE" : "NOT_FOUND"
    inWorld(`to a service that is ${status} is ${code}`, () =>
      Effect.gen(function* () {
        yield* seedSold({ status })
        expect(yield* codeOf(subscribed())).toBe(code)
      }).pipe(Effect.provide(world(makeScript()))),
    )
  }

  inWorld("to a service without deep links is refused, and stores nothing", () =>
    Effect.gen(function* () {
      yield* seedSold({ accepted_channels: ["business_b"] })
      expect(yield* codeOf(subscribed())).toBe("CHANNEL_NO_DEEPLINK")
      expect(yield* invoicesOf()).toStrictEqual([])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("both sides see it, and nobody else", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const { id, latest_invoice } = yield* subscribed()
      for (const account of [buyer, seller]) {
        expect((yield* getSubscription(as(account), id)).id).toBe(id)
        expect((yield* getInvoice(as(account), latest_invoice)).id).toBe(latest_invoice)
      }
      expect(yield* codeOf(getSubscription(as(stranger), id))).toBe("NOT_FOUND")
      expect(yield* codeOf(getInvoice(as(stranger), latest_invoice))).toBe("NOT_FOUND")
      expect(yield* codeOf(payInvoice(as(stranger), latest_invoice))).toBe("NOT_FOUND")
      expect(yield* codeOf(payInvoice(as(seller), latest_invoice))).toBe("FORBIDDEN")
      expect(yield* codeOf(cancelSubscription(as(stranger), id, {}))).toBe("NOT_FOUND")
      expect(yield* invoicesOf({}, as(stranger))).toStrictEqual([])
      expect(yield* invoicesOf({}, as(seller))).toHaveLength(1)
    }).pipe(Effect.provide(world(makeScript()))),
  )
})

describe("paying an invoice", () => {
  inWorld("marks it paid in the commit of the payment", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const { latest_invoice } = yield* subscribed()
      const { payment_intent } = yield* getInvoice(as(buyer), latest_invoice)
      yield* paid(payment_intent)
      expect(yield* getInvoice(as(buyer), latest_invoice)).toMatchObject({
        status: "paid",
        paid_at: "2026-01-01T00:00:00.000Z",
      })
      expect(yield* told(latest_invoice)).toStrictEqual(["invoice.created", "invoice.paid"])
      yield* paid(payment_intent)
      expect(yield* told(latest_invoice)).toHaveLength(2)
      expect(yield* codeOf(payInvoice(as(buyer), latest_invoice))).toBe("INVALID_TRANSITION")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("has one payment at a time: the one under way, and a new one when that has ended", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const { latest_invoice } = yield* subscribed()
      const first = yield* payInvoice(as(buyer), latest_invoice)
      expect(first.id).toBe((yield* getInvoice(as(buyer), latest_invoice)).payment_intent)
      yield* voidIntent(as(buyer), first.id)
      const racers = Array.from({ length: 5 }, () => payInvoice(as(buyer), latest_invoice))
      const made = yield* Effect.all(racers, { concurrency: "unbounded" })
      expect(new Set(made.map(({ id }) => id)).size).toBe(1)
      expect(made[0]?.id).not.toBe(first.id)
      // The link has run out, although no worker has come by to say so.
      yield* TestClock.adjust(DAY)
      const third = yield* payInvoice(as(buyer), latest_invoice)
      expect(third.status).toBe("pending")
      expect(third.id).not.toBe(made[0]?.id)
      // A payment by an expired link is returned.
      yield* paid(made[0]?.id ?? "")
      expect((yield* getInvoice(as(buyer), latest_invoice)).status).toBe("open")
      yield* paid(third.id)
      expect((yield* getInvoice(as(buyer), latest_invoice)).status).toBe("paid")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("is priced by what it is for", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const { latest_invoice } = yield* subscribed()
      const store = yield* Store
      const invoice = yield* store.find("invoice", latest_invoice)
      const intent = yield* store.find("payment_intent", invoice?.payment_intent ?? "")
      expect(intent?.fees?.service.value).toBe(10)
      expect(intent?.account_id).toBe(buyer.id)
      expect(intent?.payer_account_id).toBe(buyer.id)
    }).pipe(Effect.provide(world(makeScript()))),
  )
})

describe("cancelling", () => {
  inWorld("at the period's end lets it run out, and opens no other invoice", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const { id, latest_invoice } = yield* subscribed()
      yield* paid((yield* getInvoice(as(buyer), latest_invoice)).payment_intent)
      const first = yield* cancelSubscription(as(buyer), id, {})
      expect(first).toMatchObject({ status: "active", cancel_at_period_end: true })
      expect(yield* cancelSubscription(as(seller), id, { now: "false" })).toStrictEqual(first)
      yield* TestClock.setTime(T0 + 31 * DAY)
      yield* work()
      expect(yield* getSubscription(as(buyer), id)).toMatchObject({
        status: "cancelled",
        cancel_reason: "requested",
        cancelled_at: "2026-02-01T00:00:00.000Z",
      })
      expect(yield* invoicesOf()).toHaveLength(1)
      expect(yield* told(id)).toStrictEqual([
        "subscription.created",
        "subscription.cancel_scheduled",
        "subscription.cancelled",
      ])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("now voids the unpaid invoice and its payment: money that comes then goes back", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const { id, latest_invoice } = yield* subscribed()
      const ended = yield* cancelSubscription(as(seller), id, { now: "true" })
      expect(ended).toMatchObject({ status: "cancelled", cancel_reason: "requested" })
      expect(yield* cancelSubscription(as(buyer), id, { now: "true" })).toStrictEqual(ended)
      const invoice = yield* getInvoice(as(buyer), latest_invoice)
      expect(invoice.status).toBe("void")
      const payment = yield* getIntent(as(buyer), invoice.payment_intent ?? "")
      expect(payment.status).toBe("voided")
      yield* paid(payment.id)
      expect((yield* getInvoice(as(buyer), latest_invoice)).status).toBe("void")
      expect((yield* getIntent(as(buyer), payment.id)).status).toBe("voided")
      expect(yield* codeOf(payInvoice(as(buyer), latest_invoice))).toBe("INVALID_TRANSITION")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect.each([
    ["before its end", DAY - 1, ["void"], 0],
    ["at its end", DAY, ["open", "void"], 1],
    ["after it", DAY + 5_000, ["open", "void"], 1],
    ["days after it", 3 * DAY + 1, ["open", "open", "open", "void"], 3],
  ] as const)("now, %s, costs no less if no worker has come", ([, passed, expected, period]) =>
    Effect.gen(function* () {
      yield* seedSold()
      const { id } = yield* subscribed("day")
      yield* TestClock.setTime(T0 + passed)
      const ended = yield* cancelSubscription(as(buyer), id, { now: "true" })
      expect(ended.status).toBe("cancelled")
      expect((yield* invoicesOf()).map(({ status }) => status).toReversed()).toStrictEqual(expected)
      expect((yield* (yield* Store).find("subscription", id))?.period).toBe(period)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("now, after an outage of months, begins all of their periods", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const { id, latest_invoice } = yield* subscribed("day")
      yield* paid((yield* getInvoice(as(buyer), latest_invoice)).payment_intent, "1.00")
      yield* TestClock.setTime(T0 + 100 * DAY)
      yield* cancelSubscription(as(buyer), id, { now: "true" })
      const open = { limit: 1, offset: 0, status: "open" } as const
      expect((yield* listInvoices(as(buyer), open)).pagination.total).toBe(99)
      expect(yield* invoicesOf({ status: "void" })).toHaveLength(1)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld(
    "at the period's end bills the periods that are over, and ends with the present one",
    () =>
      Effect.gen(function* () {
        yield* seedSold()
        const { id } = yield* subscribed("day")
        yield* TestClock.setTime(T0 + 2 * DAY)
        const scheduled = yield* cancelSubscription(as(buyer), id, {})
        expect(scheduled).toMatchObject({
          status: "active",
          cancel_at_period_end: true,
          current_period_end: toIso(T0 + 3 * DAY),
        })
        expect(yield* invoicesOf({ status: "open" })).toHaveLength(3)
        yield* TestClock.setTime(T0 + 5 * DAY)
        expect(yield* cancelSubscription(as(buyer), id, { now: "true" })).toMatchObject({
          status: "cancelled",
          cancelled_at: toIso(T0 + 3 * DAY),
        })
        expect(yield* invoicesOf({ status: "open" })).toHaveLength(3)
      }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("now leaves a paid invoice as it is", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const { id, latest_invoice } = yield* subscribed()
      yield* paid((yield* getInvoice(as(buyer), latest_invoice)).payment_intent)
      yield* cancelSubscription(as(buyer), id, { now: "true" })
      expect((yield* getInvoice(as(buyer), latest_invoice)).status).toBe("paid")
    }).pipe(Effect.provide(world(makeScript()))),
  )
})
