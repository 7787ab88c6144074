import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { currencies } from "../../../adapters/fx/Currencies.ts"
import { DatedRates, defaultRates } from "../../../adapters/fx/DatedRates.ts"
import type { RateTable } from "../../../adapters/fx/RateTable.ts"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { Rates } from "../../../core/ports/Rates.ts"
import { HOUR } from "../../../core/shared/Timestamp.ts"
import { installation } from "../../support/installation.ts"
import { T0 } from "../../support/records.ts"

const table: RateTable = { as_of: T0, per_dollar: { USD: "1", EUR: "0.87" } }

const layerIn = (mode: "sandbox" | "live", rates = table) =>
  DatedRates(rates).pipe(Layer.provide(installation({ mode })))

const ask = Effect.fnUntraced(function* (currency: string, at: number) {
  yield* TestClock.setTime(at)
  const { perDollar } = yield* Rates
  return yield* Effect.result(perDollar(currency))
})

describe("dated rates", () => {
  it.effect.each(["XXX", "SEK", "usd", "", "__proto__", "toString"])(
    "have none of %j",
    (currency) =>
      Effect.gen(function* () {
        const { code, field } = Result.getOrThrow(Result.flip(yield* ask(currency, T0)))
        assert.deepStrictEqual([code, field], ["INVALID_AMOUNT", "amount.currency"])
      }).pipe(Effect.provide(layerIn("sandbox"))),
  )

  it.effect("are refused in live mode when they are older than a day", () =>
    Effect.gen(function* () {
      const late = Result.getOrThrow(Result.flip(yield* ask("EUR", T0 + 24 * HOUR + 1)))
      assert.deepStrictEqual([late.code, late.retry_after], ["TEMPORARILY_UNAVAILABLE", 60])
    }).pipe(Effect.provide(layerIn("live"))),
  )

  it.effect("are good in live mode for a day", () =>
    Effect.gen(function* () {
      const found = yield* ask("EUR", T0 + 24 * HOUR)
      assert.deepStrictEqual(Result.getOrThrow(found), { rate: "0.87", as_of: T0 })
    }).pipe(Effect.provide(layerIn("live"))),
  )

  it.effect("do for a sandbox at any age", () =>
    Effect.gen(function* () {
      const found = yield* ask("EUR", T0 + 9_000 * HOUR)
      assert.deepStrictEqual(Result.getOrThrow(found), { rate: "0.87", as_of: T0 })
    }).pipe(Effect.provide(layerIn("sandbox"))),
  )

  it.effect("cover every currency of the catalog", () =>
    Effect.gen(function* () {
      const { perDollar } = yield* Rates
      const codes = defaultCatalog.flatMap(({ currencies: served }) =>
        served === "every" ? [] : served,
      )
      const found = yield* Effect.forEach(codes, perDollar)
      for (const { rate } of found) assert.match(rate, /^\d+(\.\d+)?$/)
    }).pipe(Effect.provide(layerIn("sandbox", defaultRates))),
  )
})

describe("the default table", () => {
  it("holds twenty-three currencies of the standard against the dollar", () => {
    const codes = Object.keys(defaultRates.per_dollar)
    assert.strictEqual(codes.length, 23)
    assert.deepStrictEqual(
      codes.filter((code) => !currencies.has(code)),
      [],
    )
    assert.strictEqual(defaultRates.per_dollar["USD"], "1")
  })
})

describe("the currencies of the standard", () => {
  it.each<[string, number, string]>([
    ["JPY", 0, "392"],
    ["VND", 0, "704"],
    ["USD", 2, "840"],
    ["IDR", 2, "360"],
    ["KWD", 3, "414"],
    ["CLF", 4, "990"],
    ["ALL", 2, "008"],
    ["XCG", 2, "532"],
  ])("%s has %i decimals and the number %s", (code, exponent, numeric) => {
    assert.deepStrictEqual(currencies.get(code), { code, exponent, numeric })
  })

  it.each(["XXX", "XTS", "XAU", "XDR", "usd", "ABC", ""])("%j is none", (code) => {
    assert.isFalse(currencies.has(code))
  })
})
