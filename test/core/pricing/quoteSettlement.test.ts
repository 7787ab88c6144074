import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { DatedRates } from "../../../adapters/fx/DatedRates.ts"
import { quoteSettlement, worthOf } from "../../../core/pricing/quoteSettlement.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import { installation } from "../../support/installation.ts"
import { T0 } from "../../support/records.ts"
import { codeOf } from "../../support/world.ts"

const live = DatedRates({ as_of: T0, per_dollar: { USD: "1", EUR: "0.87" } }).pipe(
  Layer.provideMerge(installation({ mode: "live" })),
)

const quote = (currency: string, to: string) =>
  quoteSettlement({ currency, value: 699 }, to, "one_time", { kind: "consumer_wallet" })

describe("a settlement at the present rates", () => {
  it.effect.each<[string, string, string]>([
    ["XXX", "USD", "INVALID_AMOUNT"],
    ["USD", "XXX", "INVALID_AMOUNT"],
    ["XXX", "XXX", "INVALID_AMOUNT"],
    ["SEK", "USD", "INVALID_AMOUNT"],
    ["USD", "SEK", "INVALID_AMOUNT"],
  ])("from %s to %s fails: %s", ([from, to, code]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      assert.strictEqual(yield* codeOf(quote(from, to)), code)
    }).pipe(Effect.provide(live)),
  )

  it.effect.each<[string, string, RegExp, string]>([
    ["SEK", "USD", /Pay in USD\.$/, "must be a currency that has an exchange rate to USD"],
    [
      "USD",
      "SEK",
      /for SEK, the settlement currency.*only its seller can set\.$/,
      "must be settled in a currency that has an exchange rate, not in SEK",
    ],
    // To pay in the settlement currency would fail, too.
    [
      "NOK",
      "SEK",
      /for SEK, the settlement currency/,
      "must be settled in a currency that has an exchange rate, not in SEK",
    ],
  ])("says what helps, from %s to %s", ([from, to, message, constraint]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const failure = yield* Effect.flip(quote(from, to))
      assert.match(failure.message, message)
      const details = { field: "amount.currency", value: from, constraint }
      assert.deepStrictEqual(failure.details, details)
    }).pipe(Effect.provide(live)),
  )

  it.effect("waits for fresh rates where it needs any", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0 + 2 * DAY)
      assert.strictEqual(yield* codeOf(quote("USD", "EUR")), "TEMPORARILY_UNAVAILABLE")
      const same = { settlement: { currency: "SEK", value: 699, rate: "1" }, fx_spread: 0 }
      assert.deepStrictEqual(yield* quote("SEK", "SEK"), same)
    }).pipe(Effect.provide(live)),
  )

  it.effect("converts at the rate less the spread", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      assert.deepStrictEqual(yield* quote("USD", "EUR"), {
        settlement: { currency: "EUR", value: 606, rate: "0.86739" },
        // 6.99 × 0.87 = 6.0813, so 6.08 at mid-market
        fx_spread: 2,
      })
    }).pipe(Effect.provide(live)),
  )
})

describe("the worth of an amount", () => {
  it.effect.each<[string, string]>([
    ["ZZZ", "USD"],
    ["USD", "ZZZ"],
    ["EUR", "XTS"],
    ["SEK", "USD"],
  ])("from %s to %s fails, also where a currency is unknown", ([from, to]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const asked = worthOf({ currency: from, value: 699 }, to, "up")
      assert.strictEqual(yield* codeOf(asked), "INVALID_AMOUNT")
    }).pipe(Effect.provide(live)),
  )
})
