import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Store } from "../../../core/ports/Store.ts"
import { DAY, HOUR, MINUTE } from "../../../core/shared/Timestamp.ts"
import { payInvoice } from "../../../core/subscriptions/payInvoice.ts"
import { reportUsage, type UsageInput } from "../../../core/subscriptions/reportUsage.ts"
import { getTab, startUsage, stopUsage } from "../../../core/subscriptions/startUsage.ts"
import { mostWorth } from "../../../core/pricing/quoteSettlement.ts"
import { MOST_STOPPED } from "../../../core/invoices/Tab.ts"
import { closeTabs } from "../../../core/invoices/closeTabs.ts"
import { lookAfterTab, tabId } from "../../../core/invoices/tabs.ts"
import { T0, uuid } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { verified } from "../../support/verified.ts"
import { as, buyer, codeOf, seller, stranger, world } from "../../support/world.ts"
import { invoicesOf, paid, pass, seedSold, service, told, work } from "./billingWorld.ts"

const inWorld = <A, E>(name: string, test: () => Effect.Effect<A, E>) =>
  it.effect(name, () => test().pipe(Effect.orDie))

const start = (payer?: { readonly agent_id: string }, who = buyer) =>
  startUsage(as(who), service.id, payer === undefined ? {} : { payer })

const used = (idempotency_key: string, said: Partial<UsageInput> = {}, who = seller) =>
  reportUsage(as(who), service.id, {
    agent_id: "buyer-agent",
    quantity: 10,
    idempotency_key,
    ...said,
  })

/** A service that is sold by use alone. */
const byUse = (rate: string, currency?: string) => ({
  pricing: {
    cumulative: {
      unit: "request",
      rate,
      billing_cycle: "monthly" as const,
      ...(currency && { currency }),
    },
  },
})

const newBot = { agent_id: "new-bot" }

describe("use of a service", () => {
  inWorld("counts from when its agent starts cumulative billing until it stops", () =>
    Effect.gen(function* () {
      yield* seedSold()
      expect(yield* codeOf(used("early"))).toBe("USAGE_NOT_STARTED")
      expect(yield* codeOf(getTab(as(buyer), service.id, {}))).toBe("NOT_FOUND")
      const tab = yield* start()
      expect(tab).toMatchObject({ agent_id: "buyer-agent", status: "open", quantity: "0" })
      expect(yield* start()).toStrictEqual(tab)
      const report = yield* used("a", { quantity: "2.50", occurred_at: "2026-01-01T00:04:00Z" })
      expect(report).toMatchObject({ quantity: "2.5", occurred_at: "2026-01-01T00:04:00.000Z" })
      expect(yield* getTab(as(buyer), service.id, {})).toMatchObject({ quantity: "2.5" })
      const query = { agent_id: "buyer-agent" }
      expect((yield* getTab(as(seller), service.id, query)).amount.value).toBe(1)
      expect(yield* codeOf(getTab(as(stranger), service.id, query))).toBe("NOT_FOUND")
      expect(yield* codeOf(stopUsage(as(stranger), service.id, query))).toBe("NOT_FOUND")
      yield* TestClock.adjust(HOUR)
      const stopped = { status: "closed", reports_until: "2026-01-02T01:00:00.000Z" }
      expect(yield* stopUsage(as(buyer), service.id, {})).toMatchObject(stopped)
      expect(yield* stopUsage(as(seller), service.id, query)).toMatchObject(stopped)
      expect(yield* codeOf(used("late"))).toBe("USAGE_NOT_STARTED")
      yield* work()
      expect(yield* invoicesOf()).toStrictEqual([])
      yield* pass(1)
      const billed = yield* getTab(as(buyer), service.id, {})
      expect(billed).not.toHaveProperty("reports_until")
      expect(yield* invoicesOf()).toMatchObject([
        {
          subscription: null,
          lines: [{ description: "request", quantity: "2.5", unit_amount: "0.25" }],
          amount: { currency: "USD", value: 1 },
          period_start: "2026-01-01T00:00:00.000Z",
          period_end: "2026-01-01T01:00:00.000Z",
        },
      ])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("starts at the price that the caller agrees to, or not at all", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const at = (rate: string) => startUsage(as(buyer), service.id, { rate, currency: "USD" })
      expect(yield* codeOf(at("0.2"))).toBe("INVALID_AMOUNT")
      // The number alone would be accepted in any currency.
      const bare = yield* Effect.flip(startUsage(as(buyer), service.id, { rate: "0.25" }))
      expect(bare).toMatchObject({ code: "INVALID_AMOUNT", field: "currency" })
      expect(yield* codeOf(getTab(as(buyer), service.id, {}))).toBe("NOT_FOUND")
      const tab = yield* at("0.250")
      expect(tab).toMatchObject({ status: "open", rate: "0.25" })
      expect(yield* codeOf(at("0.3"))).toBe("INVALID_AMOUNT")
      expect(yield* start()).toStrictEqual(tab)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("is reported by the service's owner, of agents that have started", () =>
    Effect.gen(function* () {
      yield* seedSold()
      yield* start()
      expect(yield* codeOf(used("k", {}, buyer))).toBe("FORBIDDEN")
      expect(yield* codeOf(used("k", { agent_id: "nobody" }))).toBe("USAGE_NOT_STARTED")
      const other = { agent_id: "buyer-agent", quantity: 1, idempotency_key: "k" }
      expect(yield* codeOf(reportUsage(as(seller), uuid(9), other))).toBe("NOT_FOUND")
      expect(yield* codeOf(reportUsage(as(seller), "'", other))).toBe("NOT_FOUND")
      expect(yield* codeOf(used("k", { occurred_at: "2026-01-01T00:06:00Z" }))).toBe(
        "INVALID_REQUEST",
      )
      expect(yield* codeOf(used("k", { occurred_at: "2025-12-31T23:59:59Z" }))).toBe(
        "INVALID_REQUEST",
      )
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("of two accounts' agents of one name is not mixed up: the seller says whose it is", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const bot = { agent_id: "bot" }
      const first = yield* start(bot)
      yield* used("alone", bot)
      const second = yield* start(bot, stranger)
      expect(second).toStrictEqual({ ...first, id: second.id })
      expect(second.id).not.toBe(first.id)
      expect(yield* codeOf(used("whose", bot))).toBe("INVALID_REQUEST")
      expect(yield* codeOf(getTab(as(seller), service.id, bot))).toBe("INVALID_QUERY")
      yield* used("theirs", { ...bot, quantity: 3, tab: second.id })
      expect((yield* getTab(as(buyer), service.id, bot)).quantity).toBe("10")
      expect((yield* getTab(as(stranger), service.id, bot)).quantity).toBe("3")
      const theirs = { ...bot, tab: second.id }
      expect((yield* getTab(as(seller), service.id, theirs)).quantity).toBe("3")
      expect(yield* codeOf(getTab(as(buyer), service.id, theirs))).toBe("NOT_FOUND")
      expect(yield* codeOf(stopUsage(as(buyer), service.id, theirs))).toBe("NOT_FOUND")
      expect(yield* codeOf(used("x", { tab: second.id }))).toBe("USAGE_NOT_STARTED")
      expect(yield* codeOf(used("theirs", { ...bot, quantity: 3, tab: first.id }))).toBe(
        "IDEMPOTENCY_KEY_USED",
      )
      expect((yield* stopUsage(as(stranger), service.id, bot)).status).toBe("closed")
      yield* used("alone again", bot)
      expect((yield* getTab(as(buyer), service.id, bot)).quantity).toBe("20")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("under the name that an account acts under is that account's, where it has started", () =>
    Effect.gen(function* () {
      yield* seedSold()
      yield* start({ agent_id: "stranger-agent" })
      yield* used("before", { agent_id: "stranger-agent" })
      yield* start(undefined, stranger)
      yield* used("after", { agent_id: "stranger-agent", quantity: 3 })
      const query = { agent_id: "stranger-agent" }
      expect((yield* getTab(as(buyer), service.id, query)).quantity).toBe("10")
      expect((yield* getTab(as(stranger), service.id, {})).quantity).toBe("3")
      expect((yield* getTab(as(seller), service.id, query)).quantity).toBe("3")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("is counted once for each key, however often and at once it is reported", () =>
    Effect.gen(function* () {
      yield* seedSold()
      yield* start()
      const keys = Array.from({ length: 30 }, (_, n) => `key-${n % 10}`)
      const reports = yield* Effect.all(
        keys.map((key) => used(key, { quantity: "1.1" })),
        { concurrency: "unbounded" },
      )
      expect(new Set(reports.map(({ id }) => id)).size).toBe(10)
      expect((yield* getTab(as(buyer), service.id, {})).quantity).toBe("11")
      expect(yield* codeOf(used("key-1", { quantity: "1.2" }))).toBe("IDEMPOTENCY_KEY_USED")
      expect(yield* codeOf(used("key-1", { quantity: "1.100" }))).toBe("succeeded")
      yield* pass(31)
      // The key is known after its period, too.
      expect(yield* codeOf(used("key-1", { quantity: "1.1" }))).toBe("succeeded")
      expect((yield* getTab(as(buyer), service.id, {})).quantity).toBe("0")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("comes to one invoice a cycle, over a year, and none where nothing was used", () =>
    Effect.gen(function* () {
      yield* seedSold()
      yield* start()
      let total = 0
      for (let day = 0; day < 365; day++) {
        const idle = day >= 120 && day < 212
        if (!idle) yield* used(`day-${day}`, { quantity: day % 7 === 0 ? "0.5" : "3" })
        total += idle ? 0 : day % 7 === 0 ? 0.5 : 3
        yield* pass(1)
        for (const { amount, id } of yield* invoicesOf({ status: "open" })) {
          const major = (amount.value / 100).toFixed(2)
          yield* paid((yield* payInvoice(as(buyer), id)).id, major)
        }
      }
      const invoices = yield* invoicesOf()
      expect(invoices.map(({ period_start }) => period_start.slice(5, 10))).toStrictEqual(
        [
          "12-01",
          "11-01",
          "10-01",
          "09-01",
          "08-01",
          "05-01",
          "04-01",
          "03-01",
          "02-01",
          "01-01",
        ].filter((start) => start !== "05-01"),
      )
      const billed = invoices.reduce((sum, { lines }) => sum + Number(lines[0]?.quantity), 0)
      expect(billed).toBe(total)
      expect(invoices.every(({ status }) => status === "paid")).toBe(true)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("is billed once by several workers, with all that was reported before the close", () =>
    Effect.gen(function* () {
      yield* seedSold()
      yield* start()
      yield* used("a", { quantity: 4 })
      const store = yield* Store
      const before = yield* store.find("tab", (yield* firstTab())?.id ?? "")
      if (before === undefined) return
      yield* TestClock.setTime(T0 + 70 * DAY)
      const workers = Array.from({ length: 5 }, () => Effect.exit(lookAfterTab(before)))
      const reports = Array.from({ length: 5 }, (_, n) => Effect.exit(used(`b-${n}`)))
      yield* Effect.all([...workers, ...reports], { concurrency: "unbounded" })
      yield* work()
      expect(yield* invoicesOf()).toMatchObject([
        { lines: [{ quantity: "4" }], period_end: "2026-02-01T00:00:00.000Z" },
      ])
      expect(yield* getTab(as(buyer), service.id, {})).toMatchObject({
        quantity: "50",
        period_start: "2026-03-01T00:00:00.000Z",
      })
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("that loses against the end of its period is billed with none that is summed up", () =>
    Effect.gen(function* () {
      yield* seedSold()
      yield* start()
      yield* used("before", { quantity: 8 })
      const store = yield* Store
      let over = false
      // Between the report's look at the tab and its commit, the tab is closed and billed.
      const slow = Store.of({
        ...store,
        commit: (commit) =>
          Effect.gen(function* () {
            if (!over && commit.writes.some(({ kind }) => kind === "usage_record")) {
              over = true
              yield* Effect.orDie(stopUsage(as(buyer), service.id, {}))
              yield* Effect.orDie(pass(1))
            }
            yield* store.commit(commit)
          }).pipe(Effect.provideService(Store, store), Effect.provideContext(context)),
      })
      const context = yield* Effect.context<Effect.Services<ReturnType<typeof work>>>()
      const late = Effect.provideService(used("late", { quantity: 4 }), Store, slow)
      expect(yield* codeOf(late)).toBe("USAGE_NOT_STARTED")
      expect(yield* invoicesOf()).toMatchObject([{ lines: [{ quantity: "8" }] }])
      yield* start()
      yield* used("late", { quantity: 4 })
      yield* pass(31)
      expect(yield* invoicesOf()).toMatchObject([
        { lines: [{ quantity: "4" }] },
        { lines: [{ quantity: "8" }] },
      ])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("that costs nothing is paid by nobody, and leaves nothing", () =>
    Effect.gen(function* () {
      yield* seedSold(byUse("0"))
      yield* start()
      yield* used("a", { quantity: "2" })
      yield* pass(31)
      const [invoice] = yield* invoicesOf()
      expect(invoice).toMatchObject({ status: "paid", amount: { value: 0 }, payment_intent: null })
      expect(yield* told(invoice?.id ?? "")).toStrictEqual(["invoice.created", "invoice.paid"])
      expect(yield* getTab(as(buyer), service.id, {})).not.toHaveProperty("carried")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("is refused where it would come to more than can be paid", () =>
    Effect.gen(function* () {
      yield* seedSold()
      yield* start()
      const refusal = {
        code: "INVALID_REQUEST",
        message: expect.stringContaining("more than one payment can have: 10,000 USD"),
      }
      const most = { quantity: "999999999999" }
      expect(yield* Effect.flip(used("far too much", most))).toMatchObject(refusal)
      yield* used("all", { quantity: 3_999_999 })
      yield* used("the rest", { quantity: "0.996" })
      const over = used("too much", { quantity: "0.005" })
      expect(yield* Effect.flip(over)).toMatchObject(refusal)
      yield* used("what is left", { quantity: "0.004" })
      yield* pass(31)
      const [invoice] = yield* invoicesOf()
      expect(invoice?.amount.value).toBe(1_000_000)
      yield* paid((yield* payInvoice(as(buyer), invoice?.id ?? "")).id, "10000.00")
      expect((yield* invoicesOf())[0]?.status).toBe("paid")
      yield* used("too much")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("is refused where its payer's level could not pay the bill", () =>
    Effect.gen(function* () {
      yield* seedSold(byUse("100"))
      yield* start(newBot)
      yield* used("ten dollars", { ...newBot, quantity: "10" })
      const over = { ...newBot, quantity: "0.01" }
      expect(yield* Effect.flip(used("a cent more", over))).toMatchObject({
        code: "INSUFFICIENT_KYC",
        message: expect.stringContaining("would be 10.01 USD"),
        details: {
          party: "payer",
          requested_amount: { currency: "USD", value: 1_001 },
          required_kyc_level: "basic",
          limit: "per_transaction",
        },
      })
      yield* verified(buyer.id, "new-bot", "basic")
      yield* used("a cent more", over)
      expect((yield* getTab(as(buyer), service.id, newBot)).amount.value).toBe(1_001)
      yield* pass(31)
      const [invoice] = yield* invoicesOf()
      expect(invoice).toMatchObject({ amount: { value: 1_001 } })
      expect(yield* codeOf(payInvoice(as(buyer), invoice?.id ?? ""))).toBe("succeeded")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("is refused with a higher level where the rest carried over is too much", () =>
    Effect.gen(function* () {
      yield* seedSold(byUse("0.4"))
      yield* start(newBot)
      yield* used("left to the next bill", { ...newBot, quantity: 1 })
      yield* pass(31)
      const tenDollars = used("ten dollars", { ...newBot, quantity: 2_500 })
      expect(yield* Effect.flip(tenDollars)).toMatchObject({
        code: "INSUFFICIENT_KYC",
        message: expect.stringContaining("would be 10.01 USD"),
        details: { requested_amount: { value: 1_001 }, required_kyc_level: "basic" },
      })
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("is limited in another currency by what the level may pay", () =>
    Effect.gen(function* () {
      yield* seedSold({ ...byUse("1", "VND"), accepted_channels: ["wallet_c"] })
      yield* start()
      const most = yield* mostWorth(1_000_000, "VND")
      expect(most).toBeGreaterThan(100_000_000)
      yield* used("all", { quantity: most })
      expect(yield* codeOf(used("one more", { quantity: 1 }))).toBe("INVALID_REQUEST")
      yield* pass(31)
      const [invoice] = yield* invoicesOf()
      expect(yield* codeOf(payInvoice(as(buyer), invoice?.id ?? ""))).toBe("succeeded")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  for (const [how, price, channels] of [
    ["takes its currency", byUse("100"), ["bank_qr_b"]],
    ["has links", byUse("100", "SGD"), ["bank_qr_a"]],
  ] as const) {
    inWorld(`is refused once no channel of the service ${how} any more`, () =>
      Effect.gen(function* () {
        yield* seedSold({ ...price, accepted_channels: ["wallet_a"] })
        yield* start()
        const first = yield* used("first")
        const store = yield* Store
        const accept = Effect.fnUntraced(function* (accepted_channels: ReadonlyArray<string>) {
          const found = yield* store.find("service", service.id)
          const record = { ...(found ?? service), accepted_channels }
          yield* store.commit({ writes: [{ op: "replace", kind: "service", record }] })
        })
        yield* accept(channels)
        expect(yield* codeOf(used("second"))).toBe("CHANNEL_UNAVAILABLE")
        // What was counted stays counted, and is answered alike.
        expect(yield* used("first")).toStrictEqual(first)
        expect(yield* getTab(as(buyer), service.id, {})).toMatchObject({ quantity: "10" })
        yield* accept(["wallet_a"])
        expect(yield* codeOf(used("second"))).toBe("succeeded")
      }).pipe(Effect.provide(world(makeScript()))),
    )
  }

  const UNPAYABLE = [
    [
      "CHANNEL_NO_DEEPLINK",
      "by QR codes alone",
      { ...byUse("100", "SGD"), accepted_channels: ["bank_qr_a"] },
      undefined,
    ],
    ["INVALID_AMOUNT", "in a currency that no channel takes", byUse("100", "BRL"), undefined],
    [
      "CHANNEL_UNAVAILABLE",
      "by channels above the agent's level",
      { accepted_channels: ["business_a"] },
      newBot,
    ],
  ] as const
  for (const [code, how, said, payer] of UNPAYABLE) {
    inWorld(`does not start where its bill would be paid ${how}`, () =>
      Effect.gen(function* () {
        yield* seedSold({ ...byUse("100"), accepted_channels: ["wallet_a"], ...said })
        expect(yield* codeOf(start(payer))).toBe(code)
        expect(yield* codeOf(getTab(as(buyer), service.id, { ...payer }))).toBe("NOT_FOUND")
        expect(yield* codeOf(used("k", payer))).toBe("USAGE_NOT_STARTED")
      }).pipe(Effect.provide(world(makeScript()))),
    )
  }

  inWorld(
    "that is worth too little to be settled is left to the next bill, and the tab stays open",
    () =>
      Effect.gen(function* () {
        yield* seedSold({ ...byUse("100", "VND"), accepted_channels: ["wallet_c"] })
        yield* start()
        yield* used("a", { quantity: 1 })
        yield* pass(31)
        const [invoice] = yield* invoicesOf()
        expect(invoice).toMatchObject({
          status: "void",
          amount: { currency: "VND", value: 100 },
          lines: [{ description: "request (left to the next bill: too small to settle in USD)" }],
          payment_intent: null,
        })
        expect(yield* told(invoice?.id ?? "")).toStrictEqual(["invoice.created", "invoice.voided"])
        expect(yield* codeOf(payInvoice(as(buyer), invoice?.id ?? ""))).toBe("INVALID_TRANSITION")
        yield* pass(15)
        const carried = { currency: "VND", value: 100 }
        const open = {
          status: "open",
          amount: { value: 0 },
          carried: [{ currency: "VND", value: "100" }],
        }
        expect(yield* getTab(as(buyer), service.id, {})).toMatchObject(open)
        // Twice what settles to one cent can be paid.
        yield* used("b", { quantity: 5 })
        yield* pass(20)
        const [next] = yield* invoicesOf()
        expect(next).toMatchObject({
          status: "open",
          amount: { value: 600 },
          lines: [
            { description: "request", amount: { value: 500 } },
            { description: "carried over from earlier bills", amount: carried },
          ],
        })
        expect(yield* getTab(as(buyer), service.id, {})).not.toHaveProperty("carried")
        expect((yield* payInvoice(as(buyer), next?.id ?? "")).settlement.value).toBe(2)
      }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("cannot be had for ever by bills that are too small, however often it is stopped", () =>
    Effect.gen(function* () {
      yield* seedSold({ ...byUse("100", "VND"), accepted_channels: ["wallet_c"] })
      for (let day = 0; day < 12; day++) {
        yield* start()
        yield* used(`use ${day}`, { quantity: 1 })
        if (day % 3 > 0) yield* stopUsage(as(buyer), service.id, {})
        yield* pass(day % 3 > 1 ? 3 : 1)
      }
      yield* stopUsage(as(buyer), service.id, {})
      yield* pass(2)
      const owed = (yield* invoicesOf()).filter(({ status }) => status !== "void")
      const sum = owed.reduce((all, { amount }) => all + amount.value, 0)
      const { carried } = yield* getTab(as(buyer), service.id, {})
      const left = Number(carried?.[0]?.value ?? 0)
      expect(sum + left).toBe(1_200)
      expect(left).toBeLessThan(600)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("that rounds to nothing is left to the next bill, exactly", () =>
    Effect.gen(function* () {
      yield* seedSold(byUse("0.4"))
      yield* start()
      yield* used("a", { quantity: 1 })
      yield* pass(31)
      expect(yield* invoicesOf()).toMatchObject([
        {
          status: "void",
          amount: { value: 0 },
          lines: [{ description: "request (left to the next bill: it rounds to nothing)" }],
        },
      ])
      const carried = [{ currency: "USD", value: "0.4" }]
      expect(yield* getTab(as(buyer), service.id, {})).toMatchObject({ carried })
      yield* used("b", { quantity: "0.5" })
      yield* pass(28)
      expect((yield* invoicesOf())[0]).toMatchObject({
        status: "open",
        amount: { value: 1 },
        lines: [
          { description: "request", quantity: "0.5", amount: { value: 0 } },
          { quantity: "1", unit_amount: "0.4", amount: { value: 1 } },
        ],
      })
      expect(yield* getTab(as(buyer), service.id, {})).not.toHaveProperty("carried")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("that is carried stays when the service's currency changes, in its own", () =>
    Effect.gen(function* () {
      const accepted_channels = ["wallet_a", "wallet_c"]
      const cost = Effect.fnUntraced(function* (key: string, rate: string, currency?: string) {
        const store = yield* Store
        const stored = yield* store.find("service", service.id)
        if (stored === undefined) return
        const record = { ...stored, ...byUse(rate, currency) }
        yield* store.commit({ writes: [{ op: "replace", kind: "service", record }] })
        yield* start()
        yield* used(key, { quantity: 1 })
        yield* stopUsage(as(buyer), service.id, {})
        yield* pass(2)
      })
      const carried = Effect.map(getTab(as(buyer), service.id, {}), (tab) => tab.carried)
      yield* seedSold({ ...byUse("100", "VND"), accepted_channels })
      yield* cost("a", "100", "VND")
      yield* cost("b", "0.7", "JPY")
      expect(yield* carried).toStrictEqual([
        { currency: "VND", value: "100" },
        { currency: "JPY", value: "0.7" },
      ])
      yield* cost("c", "500", "VND")
      expect((yield* invoicesOf())[0]).toMatchObject({
        status: "open",
        amount: { currency: "VND", value: 600 },
      })
      expect(yield* carried).toStrictEqual([{ currency: "JPY", value: "0.7" }])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("costs what it did when it was started, until it is started again", () =>
    Effect.gen(function* () {
      yield* seedSold()
      yield* start()
      const { pricing } = service
      const cumulative = { unit: "request", rate: "100", billing_cycle: "daily" } as const
      const stored = yield* (yield* Store).find("service", service.id)
      if (stored === undefined) return
      const record = { ...stored, pricing: { ...pricing, cumulative } }
      yield* (yield* Store).commit({ writes: [{ op: "replace", kind: "service", record }] })
      expect(yield* start()).toMatchObject({ rate: "0.25", billing_cycle: "monthly" })
      yield* used("a")
      yield* stopUsage(as(buyer), service.id, {})
      yield* TestClock.adjust(DAY)
      expect(yield* start()).toMatchObject({ rate: "100", billing_cycle: "daily", quantity: "0" })
      yield* used("b", { quantity: 1 })
      yield* pass(1)
      const amounts = (yield* invoicesOf()).map(({ amount }) => amount.value)
      expect(amounts).toStrictEqual([100, 3])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("before a stop can be reported for a day, also when the tab is open again", () =>
    Effect.gen(function* () {
      yield* seedSold()
      yield* start()
      const at = (minute: string) => ({ occurred_at: `2026-01-01T${minute}:00Z` })
      const wait = (minutes: number) => TestClock.adjust(minutes * MINUTE)
      yield* wait(60)
      yield* stopUsage(as(buyer), service.id, {})
      yield* wait(30)
      expect(yield* codeOf(used("unsaid"))).toBe("USAGE_NOT_STARTED")
      expect(yield* codeOf(used("after", at("01:00")))).toBe("USAGE_NOT_STARTED")
      const first = yield* used("first", { ...at("00:59"), quantity: 1 })
      expect(yield* used("first", { ...at("00:59"), quantity: 1 })).toStrictEqual(first)
      expect((yield* getTab(as(buyer), service.id, {})).quantity).toBe("1")
      yield* wait(30)
      yield* start()
      expect(yield* codeOf(used("between", at("01:30")))).toBe("INVALID_REQUEST")
      yield* used("second", { ...at("00:30"), quantity: 2 })
      yield* used("new", { ...at("02:00"), quantity: 8 })
      expect((yield* getTab(as(buyer), service.id, {})).quantity).toBe("8")
      yield* stopUsage(as(seller), service.id, { agent_id: "buyer-agent" })
      yield* wait(23 * 60 - 1)
      yield* work()
      yield* used("third", { ...at("00:00"), quantity: 2 })
      yield* wait(1)
      expect(yield* codeOf(used("too late", at("00:59")))).toBe("USAGE_NOT_STARTED")
      yield* work()
      yield* work()
      expect(yield* invoicesOf()).toMatchObject([
        { lines: [{ quantity: "5" }], amount: { value: 2 } },
      ])
      yield* pass(1)
      expect(yield* invoicesOf()).toMatchObject([
        { lines: [{ quantity: "8" }], period_start: "2026-01-01T02:00:00.000Z" },
        { lines: [{ quantity: "5" }], period_end: "2026-01-01T01:00:00.000Z" },
      ])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("before a stop is not taken for that of another account's agent of the name", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const bot = { agent_id: "bot" }
      const theirs = yield* start(bot, stranger)
      const first = yield* start(bot)
      yield* TestClock.adjust(HOUR)
      yield* stopUsage(as(buyer), service.id, bot)
      const before = { ...bot, occurred_at: "2026-01-01T00:30:00Z" }
      expect(yield* codeOf(used("whose", before))).toBe("INVALID_REQUEST")
      yield* used("own", { ...before, tab: first.id, quantity: 3 })
      yield* used("theirs", { ...before, tab: theirs.id, quantity: 4 })
      yield* used("now", { ...bot, quantity: 5 })
      expect((yield* getTab(as(buyer), service.id, bot)).quantity).toBe("3")
      expect((yield* getTab(as(stranger), service.id, bot)).quantity).toBe("9")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("costs a minor unit at least each time that the tab is closed, and is limited so", () =>
    Effect.gen(function* () {
      yield* seedSold()
      for (let n = 0; n < MOST_STOPPED; n++) {
        yield* start()
        yield* used(`k-${n}`, { quantity: 1 })
        yield* stopUsage(as(buyer), service.id, {})
        yield* TestClock.adjust(MINUTE)
      }
      expect(yield* codeOf(start())).toBe("RATE_LIMIT_EXCEEDED")
      yield* TestClock.adjust(DAY - MOST_STOPPED * MINUTE)
      expect((yield* start()).status).toBe("open")
      yield* pass(1)
      const invoices = yield* invoicesOf()
      expect(invoices.map(({ amount }) => amount.value)).toStrictEqual(
        Array.from({ length: MOST_STOPPED }, () => 1),
      )
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("of a deleted service can be reported for a day after its last period", () =>
    Effect.gen(function* () {
      yield* seedSold()
      yield* start()
      const stored = yield* (yield* Store).find("service", service.id)
      if (stored === undefined) return
      const gone = { status: "deleted", deprecated_at: T0, deleted_at: T0 + DAY } as const
      const record = { ...stored, ...gone }
      yield* (yield* Store).commit({ writes: [{ op: "replace", kind: "service", record }] })
      yield* pass(31)
      expect((yield* getTab(as(buyer), service.id, {})).status).toBe("closed")
      expect(yield* codeOf(used("now"))).toBe("USAGE_NOT_STARTED")
      yield* used("before", { occurred_at: "2026-01-31T23:59:59Z" })
      yield* pass(1)
      expect(yield* invoicesOf()).toMatchObject([
        { amount: { value: 3 }, period_end: "2026-02-01T00:00:00.000Z" },
      ])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("of a service that is deleted before a worker comes is of the period of its time", () =>
    Effect.gen(function* () {
      yield* seedSold()
      yield* start()
      yield* used("first")
      yield* TestClock.setTime(T0 + 32 * DAY)
      const stored = yield* (yield* Store).find("service", service.id)
      if (stored === undefined) return
      const gone = { status: "deleted", deprecated_at: T0, deleted_at: T0 + 32 * DAY } as const
      const record = { ...stored, ...gone }
      yield* (yield* Store).commit({ writes: [{ op: "replace", kind: "service", record }] })
      yield* closeTabs(service.id, T0 + 32 * DAY)
      expect((yield* getTab(as(buyer), service.id, {})).status).toBe("closed")
      yield* used("between", { occurred_at: "2026-02-01T12:00:00Z" })
      yield* pass(1)
      expect(yield* invoicesOf()).toMatchObject([
        { period_start: "2026-02-01T00:00:00.000Z", period_end: "2026-02-02T00:00:00.000Z" },
        { period_start: "2026-01-01T00:00:00.000Z", period_end: "2026-02-01T00:00:00.000Z" },
      ])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("that is not paid for ends: the tab is closed with the invoice", () =>
    Effect.gen(function* () {
      yield* seedSold()
      yield* start()
      yield* used("a")
      yield* pass(31)
      yield* pass(13)
      expect((yield* getTab(as(buyer), service.id, {})).status).toBe("open")
      yield* used("b")
      yield* pass(1)
      expect((yield* getTab(as(buyer), service.id, {})).status).toBe("closed")
      yield* pass(1)
      const invoices = yield* invoicesOf()
      expect(invoices.map(({ status }) => status)).toStrictEqual(["open", "uncollectible"])
      expect(yield* codeOf(used("c"))).toBe("USAGE_NOT_STARTED")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("that was stopped conflicts with a start at the time when its bill is given up", () =>
    Effect.gen(function* () {
      yield* seedSold()
      yield* start()
      yield* used("a")
      yield* stopUsage(as(buyer), service.id, {})
      yield* pass(2)
      const stopped = yield* firstTabOf(buyer)
      yield* pass(14)
      expect((yield* invoicesOf())[0]?.status).toBe("uncollectible")
      const record = { ...stopped, status: "open" as const }
      const late = (yield* Store).commit({ writes: [{ op: "replace", kind: "tab", record }] })
      expect(yield* Effect.flip(late)).toMatchObject({
        reason: { type: "stale_version", kind: "tab" },
      })
    }).pipe(Effect.provide(world(makeScript()))),
  )

  inWorld("is not started again before the bill that was given up is paid", () =>
    Effect.gen(function* () {
      yield* seedSold()
      yield* start()
      yield* used("a")
      yield* pass(31)
      yield* pass(14)
      const [owed] = yield* invoicesOf()
      const { id = "" } = owed ?? {}
      const refused = yield* Effect.flip(start())
      expect(refused).toMatchObject({
        code: "INVOICE_UNPAID",
        details: { invoice: id, amount: owed?.amount },
      })
      expect((yield* start(newBot)).status).toBe("open")

      // A payment that ends unpaid leaves the invoice as it was.
      const first = yield* payInvoice(as(buyer), id)
      expect((yield* payInvoice(as(buyer), id)).id).toBe(first.id)
      yield* pass(2)
      expect((yield* invoicesOf()).at(-1)?.status).toBe("uncollectible")
      expect(yield* codeOf(start())).toBe("INVOICE_UNPAID")

      yield* paid((yield* payInvoice(as(buyer), id)).id, "0.02")
      expect((yield* invoicesOf()).at(-1)?.status).toBe("paid")
      expect(yield* codeOf(payInvoice(as(buyer), id))).toBe("INVALID_TRANSITION")
      expect((yield* start()).status).toBe("open")
    }).pipe(Effect.provide(world(makeScript()))),
  )
})

/** The stored tab of an account's own agent, whatever its state. */
const firstTabOf = Effect.fnUntraced(function* ({ agent_id, id: account_id }: typeof buyer) {
  const id = yield* tabId({ service_id: service.id, account_id, agent_id })
  return yield* Effect.fromNullishOr(yield* (yield* Store).find("tab", id))
})

/** The tab of the buyer's own agent. */
const firstTab = Effect.fnUntraced(function* () {
  const [tab] = yield* (yield* Store).claimDue("tab", T0 + 365 * DAY, { limit: 1, lease: 1 })
  return tab
})
