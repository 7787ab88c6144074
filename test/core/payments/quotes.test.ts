import { it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { createQuote } from "../../../core/quotes/createQuote.ts"
import { getIntent } from "../../../core/payments/getIntent.ts"
import { payQuote } from "../../../core/payments/payQuote.ts"
import { Rates } from "../../../core/ports/Rates.ts"
import { Store } from "../../../core/ports/Store.ts"
import { purgeQuote } from "../../../core/quotes/purgeQuote.ts"
import { DAY, MINUTE } from "../../../core/shared/Timestamp.ts"
import { T0, uuid } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, codeOf, seed, seller, stranger, world } from "../../support/world.ts"

const usd = { currency: "USD", value: 100_000 }
const ask = (said: object = {}) =>
  createQuote(as(buyer), { amount: usd, settlement_currency: "EUR", ...said })

const pay = (quote_id: string, said: object = {}) =>
  payQuote(as(buyer), { quote_id, service_id: uuid(1), description: "One answer", ...said })

const shop = (said: object = {}) =>
  seed({
    accepted_channels: ["wallet_a", "wallet_b", "wallet_f", "stablecoin_a"],
    settlement_currency: "EUR",
    ...said,
  })

const money = (value: number) => ({ currency: "EUR", value })

describe("a quote", () => {
  it.effect("prices every channel that could take the payment, best first", () =>
    Effect.gen(function* () {
      yield* shop()
      const quote = yield* ask({ service_id: uuid(1) })
      expect(quote.id).toMatch(/^fxq_/)
      expect(quote.amount).toEqual(usd)
      expect(quote.expires_at).toBe(new Date(T0 + MINUTE).toISOString())
      expect(quote.routes.map(({ channel }) => channel)).toEqual([
        "stablecoin_a",
        "wallet_a",
        "wallet_b",
        "wallet_f",
      ])
      expect(quote.routes[0]).toEqual({
        channel: "stablecoin_a",
        score: 1,
        criteria: { fee: 1, rate: 1, speed: 1 },
        fees: { service: money(261), fx_spread: money(87), channel: money(87), total: money(435) },
        rate: 0.86913,
        settlement: money(86_913),
        settles: "real_time",
      })
      expect(quote.routes[3]).toMatchObject({ score: 0, criteria: { fee: 0, rate: 0, speed: 0 } })
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("is about all channels, those of a service, or those named", () =>
    Effect.gen(function* () {
      yield* shop()
      const channels = (said: object) =>
        Effect.map(ask(said), ({ routes }) => routes.map(({ channel }) => channel).toSorted())
      expect(yield* channels({})).toContain("business_b")
      expect(yield* channels({})).not.toContain("bank_qr_a")
      expect(yield* channels({ channels: ["wallet_f"] })).toEqual(["wallet_f"])
      expect(yield* channels({ channels: ["wallet_d", "wallet_f"], service_id: uuid(1) })).toEqual([
        "wallet_f",
      ])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect.each<[string, object, string]>([
    ["an unknown service", { service_id: "no" }, "NOT_FOUND"],
    ["another settlement", { service_id: uuid(1), settlement_currency: "USD" }, "INVALID_REQUEST"],
    ["no currency to settle in", { settlement_currency: "XXX" }, "INVALID_REQUEST"],
    ["no currency to pay in", { amount: { currency: "XXX", value: 1 } }, "INVALID_AMOUNT"],
    ["a currency without a rate", { amount: { currency: "SEK", value: 1 } }, "INVALID_AMOUNT"],
    ["an unknown channel", { channels: ["wallet_z"] }, "UNSUPPORTED_CHANNEL"],
    ["a channel of another currency", { channels: ["bank_qr_b"] }, "CHANNEL_UNAVAILABLE"],
  ])("for %s is refused", ([, said, code]) =>
    Effect.gen(function* () {
      yield* shop()
      expect(yield* codeOf(ask(said))).toBe(code)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("leaves out what is down, and waits when everything is", () => {
    const script = makeScript()
    script.health = (channel) => (channel === "wallet_a" ? "down" : "up")
    return Effect.gen(function* () {
      yield* shop()
      const quote = yield* ask({ channels: ["wallet_a", "wallet_b"] })
      expect(quote.routes.map(({ channel }) => channel)).toEqual(["wallet_b"])
      const none = codeOf(ask({ channels: ["wallet_a"] }))
      expect(yield* none).toBe("CHANNEL_TEMPORARILY_UNAVAILABLE")
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("is forgotten a day after its time", () =>
    Effect.gen(function* () {
      yield* shop()
      const { id } = yield* ask()
      const store = yield* Store
      const due = (now: number) => store.claimDue("quote", now, { limit: 9, lease: 1 })
      expect(yield* due(T0 + MINUTE + DAY - 1)).toEqual([])
      const [claimed] = yield* due(T0 + MINUTE + DAY)
      if (claimed === undefined) throw new TypeError("No quote is due.")
      yield* TestClock.setTime(T0 + MINUTE + DAY - 1)
      yield* purgeQuote(claimed)
      expect(yield* store.find("quote", id)).toBeDefined()
      yield* TestClock.setTime(T0 + MINUTE + DAY)
      yield* purgeQuote(claimed)
      yield* purgeQuote(claimed)
      expect(yield* store.find("quote", id)).toBeUndefined()
    }).pipe(Effect.provide(world(makeScript()))),
  )
})

/** Rates that a test can move. */
const moving = () => {
  const table = { EUR: "0.87" }
  const layer = Layer.succeed(
    Rates,
    Rates.of({
      perDollar: (currency) =>
        Effect.succeed({ rate: currency === "EUR" ? table.EUR : "1", as_of: T0 }),
    }),
  )
  return { table, layer }
}

describe("a payment at a quote's prices", () => {
  it.effect("has them, whatever has become of the rates", () => {
    const { layer, table } = moving()
    return Effect.gen(function* () {
      yield* shop()
      const quote = yield* ask({ channels: ["wallet_a", "wallet_f"] })
      table.EUR = "0.5"
      yield* TestClock.adjust(MINUTE - 1)
      const made = yield* pay(quote.id, { channel: "wallet_f", metadata: { order: 1 } })
      const [, route] = quote.routes
      expect(route?.channel).toBe("wallet_f")
      expect(made).toMatchObject({
        status: "pending",
        channel: "wallet_f",
        amount: usd,
        settlement: { ...route?.settlement, rate: route?.rate },
        metadata: { order: 1 },
      })
      expect(made.qr?.qr_data).toContain("wallet_f")
      expect((yield* getIntent(as(seller), made.id)).fees).toEqual(route?.fees)
    }).pipe(Effect.provide(layer), Effect.provide(world(makeScript())))
  })

  it.effect("takes the best route that is up", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* shop({ default_channel: "wallet_f" })
      const quote = yield* ask({ service_id: uuid(1) })
      script.health = (channel) => (channel === "stablecoin_a" ? "down" : "up")
      const made = yield* pay(quote.id)
      expect(made.channel).toBe("wallet_a")
      expect(made.channels).toBeUndefined()
      expect(made.settlement).toEqual({ ...quote.routes[1]?.settlement, rate: 0.86739 })
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("falls back at the fallback's price", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* shop({ fallback_channel: "stablecoin_a" })
      const quote = yield* ask({ service_id: uuid(1) })
      script.health = (channel) => (channel === "wallet_a" ? "rate_limited" : "up")
      const made = yield* pay(quote.id, { channel: "wallet_a" })
      expect(made.channel).toBe("stablecoin_a")
      expect(made.settlement).toEqual({ ...quote.routes[0]?.settlement, rate: 0.86913 })
      const without = yield* ask({ channels: ["wallet_b", "wallet_f"] })
      script.health = (channel) => (channel === "wallet_b" ? "down" : "up")
      expect(yield* codeOf(pay(without.id, { channel: "wallet_b" }))).toBe(
        "CHANNEL_TEMPORARILY_UNAVAILABLE",
      )
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("uses the quote up, and of two at once one gets it", () =>
    Effect.gen(function* () {
      yield* shop()
      const { id } = yield* ask()
      const exits = yield* Effect.all(
        Array.from({ length: 20 }, () => Effect.exit(pay(id))),
        { concurrency: "unbounded" },
      )
      expect(exits.filter(Exit.isSuccess)).toHaveLength(1)
      expect(yield* codeOf(pay(id))).toBe("QUOTE_USED")
      const store = yield* Store
      const used = yield* store.find("quote", id)
      expect((yield* getIntent(as(buyer), used?.payment_intent ?? "")).status).toBe("qr_generated")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("is refused when it expires, for strangers, and for what it is not about", () =>
    Effect.gen(function* () {
      yield* shop()
      const { id } = yield* ask({ channels: ["wallet_a"] })
      expect(yield* codeOf(pay("fxq_no"))).toBe("NOT_FOUND")
      expect(yield* codeOf(pay(id.replace("fxq_", "pi_")))).toBe("NOT_FOUND")
      const theirs = payQuote(as(stranger), {
        quote_id: id,
        service_id: uuid(1),
        description: "One answer",
      })
      expect(yield* codeOf(theirs)).toBe("NOT_FOUND")
      expect(yield* codeOf(pay(id, { service_id: uuid(2) }))).toBe("NOT_FOUND")
      expect(yield* codeOf(pay(id, { channel: "wallet_f" }))).toBe("CHANNEL_UNAVAILABLE")
      const inDollars = yield* ask({ settlement_currency: "USD" })
      expect(yield* codeOf(pay(inDollars.id))).toBe("INVALID_REQUEST")
      const large = { data: "x".repeat(5_000) }
      expect(yield* codeOf(pay(id, { metadata: large }))).toBe("INVALID_METADATA")
      yield* TestClock.adjust(MINUTE)
      expect(yield* codeOf(pay(id))).toBe("QUOTE_EXPIRED")
    }).pipe(Effect.provide(world(makeScript()))),
  )
})
