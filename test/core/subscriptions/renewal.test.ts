import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { putInstall } from "../../../core/installs/putInstall.ts"
import { moveService } from "../../../core/registry/moveService.ts"
import type { ServiceAction } from "../../../core/registry/ManifestMachine.ts"
import { Store } from "../../../core/ports/Store.ts"
import { DAY, fromIso, MINUTE } from "../../../core/shared/Timestamp.ts"
import { getInvoice, getSubscription } from "../../../core/subscriptions/listInvoices.ts"
import { lookAfterInvoice } from "../../../core/subscriptions/lookAfterInvoice.ts"
import { payInvoice } from "../../../core/subscriptions/payInvoice.ts"
import { renewSubscription } from "../../../core/subscriptions/renewSubscription.ts"
import { reportUsage } from "../../../core/subscriptions/reportUsage.ts"
import { startUsage } from "../../../core/subscriptions/startUsage.ts"
import { T0 } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, codeOf, seller, world } from "../../support/world.ts"
import {
  invoicesOf,
  paid,
  pass,
  seedSold,
  service,
  subscribed,
  subscriptionsOf,
  told,
  work,
} from "./billingWorld.ts"

const inWorld = <A, E>(name: string, test: () => Effect.Effect<A, E>) =>
  it.effect(name, () => test().pipe(Effect.orDie))

/** Pays all open invoices, oldest first. */
const payAll = Effect.fnUntraced(function* () {
  const open = yield* invoicesOf({ status: "open" })
  for (const invoice of open.toReversed()) {
    const payment = yield* payInvoice(as(buyer), invoice.id)
    yield* paid(payment.id)
  }
})

const starts = (invoices: ReadonlyArray<{ readonly period_start: string }>) =>
  invoices.map(({ period_start }) => period_start.slice(0, 10)).toReversed()

describe("renewal", () => {
  inWorld("opens one invoice a period over years, on the anchor's day", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const anchor = fromIso("2027-12-31T10:00:00Z") ?? 0
      yield* TestClock.setTime(anchor)
      const { id } = yield* subscribed()
      yield* payAll()
      for (let day = 0; day < 400; day++) {
        yield* pass(1)
        yield* payAll()
      }
      const invoices = yield* invoicesOf()
      expect(starts(invoices)).toStrictEqual([
        "2027-12-31",
        "2028-01-31",
        "2028-02-29",
        "2028-03-31",
        "2028-04-30",
        "2028-05-31",
        "2028-06-30",
        "2028-07-31",
        "2028-08-31",
        "2028-09-30",
        "2028-10-31",
        "2028-11-30",
        "2028-12-31",
        "2029-01-31",
      ])
      expect(invoices.every(({ status }) => status === "paid")).toBe(true)
      expect((yield* getSubscription(as(buyer), id)).status).toBe("active")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("gives the renewal's invoice a payment of a day, and its payer new ones after it", () =>
    Effect.gen(function* () {
      yield* seedSold()
      yield* subscribed()
      yield* payAll()
      yield* pass(31)
      const [invoice] = yield* invoicesOf({ status: "open" })
      expect(invoice?.payment_intent).toMatch(/^pi_/)
      expect(invoice?.due_at).toBe("2026-02-08T00:00:00.000Z")
      yield* pass(2)
      const fresh = yield* payInvoice(as(buyer), invoice?.id ?? "")
      expect(fresh.id).not.toBe(invoice?.payment_intent)
      yield* paid(fresh.id)
      expect((yield* getInvoice(as(buyer), invoice?.id ?? "")).status).toBe("paid")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("catches up with one invoice for each period when workers were away", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const { id } = yield* subscribed()
      yield* payAll()
      yield* TestClock.setTime(T0 + 150 * DAY)
      yield* work()
      const invoices = yield* invoicesOf()
      expect(starts(invoices)).toStrictEqual([
        "2026-01-01",
        "2026-02-01",
        "2026-03-01",
        "2026-04-01",
        "2026-05-01",
      ])
      const late = invoices.filter(({ status }) => status === "open")
      expect(late.map(({ due_at }) => due_at)).toStrictEqual(
        Array(4).fill("2026-06-07T00:00:00.000Z"),
      )
      yield* payAll()
      yield* pass(2)
      expect((yield* getSubscription(as(buyer), id)).status).toBe("active")
      expect(yield* invoicesOf()).toHaveLength(6)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("is done once by several workers that hold the same record", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const { id } = yield* subscribed("day")
      const store = yield* Store
      yield* TestClock.setTime(T0 + 3 * DAY)
      const stored = yield* store.find("subscription", id)
      if (stored === undefined) return
      const workers = Array.from({ length: 6 }, () => Effect.exit(renewSubscription(stored)))
      yield* Effect.all(workers, { concurrency: "unbounded" })
      yield* work()
      expect(starts(yield* invoicesOf())).toStrictEqual([
        "2026-01-01",
        "2026-01-02",
        "2026-01-03",
        "2026-01-04",
      ])
      const [newest] = yield* invoicesOf()
      const open = yield* store.find("invoice", newest?.id ?? "")
      if (open === undefined) return
      yield* Effect.all(
        Array.from({ length: 4 }, () => Effect.exit(lookAfterInvoice(open))),
        { concurrency: "unbounded" },
      )
      const intents = yield* store.listIntents({ viewer: buyer.id, limit: 50, now: T0 + 3 * DAY })
      const ofNewest = intents.filter(({ invoice }) => invoice === newest?.id)
      expect(ofNewest).toHaveLength(1)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("opens an invoice that its payer's limits do not allow to be paid yet", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* seedSold()
      yield* subscribed()
      yield* payAll()
      script.refuse = () => "down"
      yield* pass(31)
      const [invoice] = yield* invoicesOf({ status: "open" })
      expect(invoice?.payment_intent).toBeNull()
      const id = invoice?.id ?? ""
      expect(yield* codeOf(payInvoice(as(buyer), id))).toBe("CHANNEL_TEMPORARILY_UNAVAILABLE")
      script.refuse = () => undefined
      expect((yield* payInvoice(as(buyer), id)).status).toBe("pending")
    }).pipe(Effect.provide(world(script)))
  })

  inWorld("is charged automatically after an outage at the renewal, with billed use", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* seedSold()
      yield* putInstall(as(buyer), service.id, {
        auto_pay_limit: { currency: "USD", value: 20_000 },
      })
      const { id } = yield* subscribed()
      yield* startUsage(as(buyer), service.id, {})
      const use = { agent_id: "buyer-agent", quantity: 4_000, idempotency_key: "a" }
      yield* reportUsage(as(seller), service.id, use)
      yield* pass(30)
      yield* TestClock.adjust(DAY)
      script.health = () => "down"
      yield* work()
      expect(yield* invoicesOf({ status: "open" })).toHaveLength(2)
      yield* TestClock.adjust(5 * MINUTE)
      yield* work()
      script.health = () => "up"
      yield* TestClock.adjust(10 * MINUTE)
      yield* work()
      expect(yield* invoicesOf({ status: "open" })).toStrictEqual([])
      expect((yield* getSubscription(as(buyer), id)).status).toBe("active")
    }).pipe(Effect.provide(world(script)))
  })

  const MOVED: ReadonlyArray<{
    readonly name: string
    readonly moves: ReadonlyArray<readonly [day: number, ServiceAction]>
    readonly invoices: ReadonlyArray<string>
    readonly ends: string | undefined
  }> = [
    {
      name: "that was paused after a period began has its price",
      moves: [[32, "pause"]],
      invoices: ["2026-01-01", "2026-02-01"],
      ends: undefined,
    },
    {
      name: "that was resumed after a period began had a free one",
      moves: [
        [20, "pause"],
        [32, "resume"],
      ],
      invoices: ["2026-01-01"],
      ends: undefined,
    },
    {
      name: "that was paused for a time in a period has its price",
      moves: [
        [20, "pause"],
        [30, "resume"],
        [32, "pause"],
      ],
      invoices: ["2026-01-01", "2026-02-01"],
      ends: undefined,
    },
    {
      name: "that was deprecated after a period began ends after that",
      moves: [[32, "deprecate"]],
      invoices: ["2026-01-01", "2026-02-01"],
      ends: "2026-03-01T00:00:00.000Z",
    },
    {
      name: "that was deprecated before a period began ends before it",
      moves: [
        [20, "pause"],
        [30, "deprecate"],
      ],
      invoices: ["2026-01-01"],
      ends: "2026-02-01T00:00:00.000Z",
    },
  ]

  for (const { ends, invoices, moves, name } of MOVED) {
    inWorld(`of a service ${name}, however late a worker comes`, () =>
      Effect.gen(function* () {
        yield* seedSold()
        const { id } = yield* subscribed()
        yield* payAll()
        for (const [day, action] of moves) {
          yield* TestClock.setTime(T0 + day * DAY)
          yield* moveService(as(seller), service.id, action)
        }
        yield* TestClock.setTime(T0 + 33 * DAY)
        yield* work()
        expect(starts(yield* invoicesOf())).toStrictEqual(invoices)
        yield* payAll()
        if (ends === undefined) return
        yield* pass(30)
        expect(yield* getSubscription(as(buyer), id)).toMatchObject({
          status: "cancelled",
          cancel_reason: "service_ended",
          cancelled_at: ends,
        })
      }).pipe(Effect.provide(world(makeScript()))),
    )
  }

  inWorld("costs nothing while the service is paused, and ends with it", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const { id } = yield* subscribed()
      yield* payAll()
      yield* moveService(as(seller), service.id, "pause")
      yield* pass(59)
      expect(yield* invoicesOf()).toHaveLength(1)
      expect(yield* getSubscription(as(buyer), id)).toMatchObject({
        status: "active",
        current_period_start: "2026-03-01T00:00:00.000Z",
      })
      yield* moveService(as(seller), service.id, "resume")
      yield* pass(31)
      expect(starts(yield* invoicesOf())).toStrictEqual(["2026-01-01", "2026-04-01"])
      yield* moveService(as(seller), service.id, "deprecate")
      // An open invoice can be paid although the service accepts no new payments.
      yield* payAll()
      yield* pass(30)
      expect(yield* getSubscription(as(buyer), id)).toMatchObject({
        status: "cancelled",
        cancel_reason: "service_ended",
        cancelled_at: "2026-05-01T00:00:00.000Z",
      })
      expect(yield* invoicesOf({ status: "paid" })).toHaveLength(2)
    }).pipe(Effect.provide(world(makeScript()))),
  )
})

describe("an unpaid invoice", () => {
  inWorld("makes its subscription past due after 7 days, and ends it after 14", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const { id, latest_invoice } = yield* subscribed()
      yield* pass(6)
      expect((yield* getSubscription(as(buyer), id)).status).toBe("active")
      yield* pass(1)
      expect(yield* getSubscription(as(buyer), id)).toMatchObject({
        status: "past_due",
        past_due_at: "2026-01-08T00:00:00.000Z",
      })
      const link = yield* payInvoice(as(buyer), latest_invoice)
      yield* pass(6)
      expect((yield* getInvoice(as(buyer), latest_invoice)).status).toBe("open")
      const last = yield* payInvoice(as(buyer), latest_invoice)
      expect(last.id).not.toBe(link.id)
      yield* pass(1)
      expect(yield* getSubscription(as(buyer), id)).toMatchObject({
        status: "cancelled",
        cancel_reason: "unpaid",
        cancelled_at: "2026-01-15T00:00:00.000Z",
      })
      expect((yield* getInvoice(as(buyer), latest_invoice)).status).toBe("uncollectible")
      yield* paid(last.id)
      expect((yield* getInvoice(as(buyer), latest_invoice)).status).toBe("uncollectible")
      const again = yield* payInvoice(as(buyer), latest_invoice)
      expect(again.id).not.toBe(last.id)
      yield* paid(again.id)
      expect((yield* getInvoice(as(buyer), latest_invoice)).status).toBe("paid")
      expect((yield* getSubscription(as(buyer), id)).status).toBe("cancelled")
      yield* pass(40)
      expect(yield* invoicesOf()).toHaveLength(1)
      expect(yield* told(id)).toStrictEqual([
        "subscription.created",
        "subscription.past_due",
        "subscription.cancelled",
      ])
      expect(yield* told(latest_invoice)).toStrictEqual([
        "invoice.created",
        "invoice.overdue",
        "invoice.uncollectible",
        "invoice.paid",
      ])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("is asked for again when its channel could not make the link", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* seedSold()
      yield* subscribed()
      yield* payAll()
      script.refuse = () => "generation_failed"
      yield* pass(31)
      const unasked = yield* invoicesOf({ status: "open" })
      expect(unasked).toMatchObject([{ payment_intent: null }])
      script.refuse = () => undefined
      yield* pass(1)
      const [asked] = yield* invoicesOf({ status: "open" })
      yield* paid(asked?.payment_intent ?? "")
      expect(yield* invoicesOf({ status: "open" })).toStrictEqual([])
    }).pipe(Effect.provide(world(script)))
  })

  inWorld("of a first period is asked for again when its channel could not make the link", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* seedSold()
      script.refuse = () => "generation_failed"
      const { payment } = yield* subscribed()
      expect(payment.status).toBe("failed")
      script.refuse = () => undefined
      yield* work()
      const [asked] = yield* invoicesOf({ status: "open" })
      expect(asked?.payment_intent).not.toBe(payment.id)
      yield* paid(asked?.payment_intent ?? "")
      expect(yield* invoicesOf({ status: "open" })).toStrictEqual([])
    }).pipe(Effect.provide(world(script)))
  })

  inWorld("is asked for again when its payer's own try had no link", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* seedSold()
      yield* subscribed()
      yield* payAll()
      script.refuse = () => "generation_failed"
      yield* pass(31)
      const [open] = yield* invoicesOf({ status: "open" })
      const failed = yield* payInvoice(as(buyer), open?.id ?? "")
      expect(failed.status).toBe("failed")
      script.refuse = () => undefined
      yield* pass(1)
      const [asked] = yield* invoicesOf({ status: "open" })
      expect(asked?.payment_intent).not.toBe(failed.id)
      yield* paid(asked?.payment_intent ?? "")
      expect(yield* invoicesOf({ status: "open" })).toStrictEqual([])
    }).pipe(Effect.provide(world(script)))
  })

  inWorld("that is paid late makes its subscription active again", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const { id } = yield* subscribed()
      yield* pass(10)
      expect((yield* getSubscription(as(buyer), id)).status).toBe("past_due")
      yield* payAll()
      const recovered = yield* getSubscription(as(buyer), id)
      expect(recovered.status).toBe("active")
      expect(recovered).not.toHaveProperty("past_due_at")
      yield* pass(40)
      expect(yield* invoicesOf()).toHaveLength(2)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("of several keeps the subscription past due until no overdue one is left", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const { id } = yield* subscribed("day")
      yield* pass(9)
      expect((yield* getSubscription(as(buyer), id)).status).toBe("past_due")
      const open = (yield* invoicesOf({ status: "open" })).toReversed()
      expect(open).toHaveLength(10)
      const [first, second, third] = yield* Effect.forEach(open.slice(0, 3), (invoice) =>
        payInvoice(as(buyer), invoice.id),
      )
      yield* paid(first?.id ?? "", "1.00")
      expect((yield* getSubscription(as(buyer), id)).status).toBe("past_due")
      yield* Effect.all([paid(second?.id ?? "", "1.00"), paid(third?.id ?? "", "1.00")], {
        concurrency: "unbounded",
      })
      expect((yield* getSubscription(as(buyer), id)).status).toBe("active")
      expect(yield* told(id)).toContain("subscription.recovered")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("ends a daily subscription with all that is open, and no period begins after that", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const { id } = yield* subscribed("day")
      // Away for a month: what ended first is seen to first.
      yield* TestClock.setTime(T0 + 30 * DAY)
      yield* work()
      expect(yield* getSubscription(as(buyer), id)).toMatchObject({
        status: "cancelled",
        cancel_reason: "unpaid",
        cancelled_at: "2026-01-15T00:00:00.000Z",
      })
      const invoices = yield* invoicesOf()
      expect(new Set(invoices.map(({ status }) => status))).toStrictEqual(
        new Set(["uncollectible"]),
      )
      const ended = yield* (yield* Store).find("subscription", id)
      expect(invoices).toHaveLength(1 + (ended?.period ?? -1))
      expect(yield* subscriptionsOf()).toHaveLength(1)
    }).pipe(Effect.provide(world(makeScript()))),
  )
})
