import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Result } from "effect"
import * as fc from "fast-check"
import { currencies } from "../../../adapters/fx/Currencies.ts"
import { defaultRates } from "../../../adapters/fx/DatedRates.ts"
import { type FeeKind, FEES, settle, spreadBasisPoints } from "../../../core/pricing/Price.ts"
import { MAX_VALUE } from "../../../core/shared/Money.ts"

const rates = defaultRates.per_dollar

const settlement = (
  value: number,
  from: string,
  to: string,
  kind: "consumer_wallet" | "stablecoin" = "consumer_wallet",
  perDollar: { readonly [currency: string]: string } = rates,
) =>
  settle({
    amount: { currency: from, value },
    settlement_currency: to,
    method: "one_time",
    channel: { kind },
    usdToPayer: perDollar[from] ?? "1",
    usdToSettlement: perDollar[to] ?? "1",
    currencies,
    fees: FEES,
  })

describe("the FX spread in basis points", () => {
  it.each<[string, string, number, number]>([
    ["USD", "USD", 0, 0],
    ["SGD", "SGD", 0, 0],
    ["USD", "EUR", 30, 10],
    ["CNY", "JPY", 30, 10],
    ["GBP", "USD", 30, 10],
    ["SGD", "USD", 75, 20],
    ["JPY", "BRL", 75, 20],
    ["SGD", "BRL", 120, 30],
    ["KWD", "THB", 120, 30],
  ])("from %s to %s is %i, by stablecoin %i", (from, to, crossBorder, stablecoin) => {
    assert.strictEqual(spreadBasisPoints(FEES, from, to, "cross_border"), crossBorder)
    assert.strictEqual(spreadBasisPoints(FEES, from, to, "stablecoin"), stablecoin)
  })
})

it.each<[FeeKind, number, number, number]>([
  ["one_time", 30, 55, 80],
  ["cumulative", 20, 35, 50],
  ["subscription", 30, 55, 80],
  ["stablecoin", 10, 20, 30],
  ["cross_border", 30, 75, 120],
])("the spread of %s is %i, %i or %i", (kind, low, middle, high) => {
  assert.strictEqual(spreadBasisPoints(FEES, "USD", "EUR", kind), low)
  assert.strictEqual(spreadBasisPoints(FEES, "USD", "SGD", kind), middle)
  assert.strictEqual(spreadBasisPoints(FEES, "HKD", "SGD", kind), high)
})

describe("a settlement", () => {
  it.each<[number, string, string, number, string]>([
    [699, "USD", "USD", 699, "1"],
    [500, "JPY", "JPY", 500, "1"],
    // 0.87 × 0.997 = 0.86739; 699 × 0.86739 = 606.30561
    [699, "USD", "EUR", 606, "0.86739"],
    // 1/0.87 × 0.997 = 1.14597701149…; × 1000 = 1145.97…
    [1_000, "EUR", "USD", 1_145, "1.14597701149"],
    // 148.5 × 0.997 = 148.0545; 6.99 USD × 148.0545 = 1034.900955 JPY
    [699, "USD", "JPY", 1_034, "148.0545"],
    // 1/148.5 × 0.997 = 0.00671380471380…; 500 JPY = 335.69 US cents
    [500, "JPY", "USD", 335, "0.00671380471380"],
    // 0.306 × 0.9925 = 0.303705; 10 USD = 3.03705 KWD = 3037.05 fils
    [1_000, "USD", "KWD", 3_037, "0.303705"],
    // 5.45/1.29 × 0.988 = 4.17410852713…; 10 SGD = 41.74 BRL
    [1_000, "SGD", "BRL", 4_174, "4.17410852713"],
    // 1/26150 × 0.9925 = 0.0000379541108986…
    [264, "VND", "USD", 1, "0.0000379541108987"],
    [180_000_000, "KWD", "IDR", 950_223_529_411, "52790.1960784"],
  ])("of %i %s in %s is %i at %s", (value, from, to, expected, rate) => {
    assert.deepStrictEqual(Result.getOrThrow(settlement(value, from, to)).settlement, {
      currency: to,
      value: expected,
      rate: rate.replace(/(\.\d*?)0+$/, "$1"),
    })
  })

  it.each<[number, string, number]>([
    [2, "0.5", 1],
    [3, "0.5", 1],
    [5, "0.5", 2],
    [7, "0.5", 3],
    [1_999, "0.001", 1],
  ])("of %i at %s rounds down: %i", (value, rate, expected) => {
    // 0.5 after the spread of 1.2% that currencies outside the five have.
    const [after, kept] = [rate, "0.988"].map(BigDecimal.fromStringUnsafe)
    const before = BigDecimal.format(BigDecimal.divideUnsafe(after!, kept!))
    const settled = settlement(value, "SGD", "HKD", "consumer_wallet", { SGD: "1", HKD: before })
    const { settlement: got } = Result.getOrThrow(settled)
    assert.deepStrictEqual(got, { currency: "HKD", value: expected, rate })
  })

  it.each<[number, string, string, number]>([
    // 1/26150 × 0.9925 = 0.0000379541108987: a cent is 263.47 dong
    [263, "VND", "USD", 264],
    // 1/1385 × 0.9925 = 0.000716606498195: a cent is 13.95 won
    [13, "KRW", "USD", 14],
    [1, "JPY", "USD", 2],
  ])("of %i %s in %s would be nothing, and is refused below %i", (value, from, to, least) => {
    const { code, details, field } = Result.getOrThrow(Result.flip(settlement(value, from, to)))
    assert.deepStrictEqual([code, field], ["INVALID_AMOUNT", "amount.value"])
    const constraint = `must be worth at least one minor unit of ${to}`
    const minimum = { currency: from, value: least }
    assert.deepStrictEqual(details, { field: "amount.value", value, constraint, minimum })
    assert.strictEqual(Result.getOrThrow(settlement(least, from, to)).settlement.value, 1)
  })

  it("costs less by stablecoin", () => {
    const settled = settlement(699, "USD", "EUR", "stablecoin")
    assert.strictEqual(Result.getOrThrow(settled).settlement.rate, "0.86913")
  })

  it.each([
    ["XXX", "USD"],
    ["USD", "usd"],
  ])("from %s to %s is refused", (from, to) => {
    const { code, field } = Result.getOrThrow(Result.flip(settlement(1, from, to)))
    assert.deepStrictEqual([code, field], ["INVALID_AMOUNT", "amount.currency"])
  })

  it.each([{ SGD: "0" }, { EUR: "0" }, { SGD: "-1.29" }])("at rates of %j waits", (broken) => {
    const settled = settlement(699, "SGD", "EUR", "consumer_wallet", { ...rates, ...broken })
    const { code } = Result.getOrThrow(Result.flip(settled))
    assert.strictEqual(code, "TEMPORARILY_UNAVAILABLE")
  })

  it("is refused above what can be paid, before anything is kept of it", () => {
    const perDollar = { KWD: "1", IDR: "1" }
    const settled = (value: number) => settlement(value, "IDR", "KWD", "consumer_wallet", perDollar)
    const most = MAX_VALUE / 10
    assert.isBelow(Result.getOrThrow(settled(most)).settlement.value, MAX_VALUE)
    const { code, field } = Result.getOrThrow(Result.flip(settled(most + 1)))
    assert.deepStrictEqual([code, field], ["INVALID_AMOUNT", "amount.value"])
  })
})

describe("every settlement", () => {
  const codes = Object.keys(rates)
  const amounts = fc.integer({ min: 1, max: 100_000_000_000 })
  const pair = fc.tuple(fc.constantFrom(...codes), fc.constantFrom(...codes))
  const kinds = fc.constantFrom("consumer_wallet" as const, "stablecoin" as const)

  /** Whole units of the smallest size, exactly: value × 10^12 × rate, as a fraction of integers. */
  const exact = (value: number, rate: string, from: string, to: string) => {
    const [whole = "0", decimals = ""] = rate.split(".")
    const shift = currencies.get(to)!.exponent - currencies.get(from)!.exponent
    const numerator = BigInt(value) * BigInt(whole + decimals) * 10n ** BigInt(Math.max(shift, 0))
    return { numerator, denominator: 10n ** BigInt(decimals.length + Math.max(-shift, 0)) }
  }

  it("is amount × rate, rounded down", () => {
    fc.assert(
      fc.property(amounts, pair, kinds, (value, [from, to], kind) => {
        const found = settlement(value, from, to, kind)
        fc.pre(Result.isSuccess(found))
        const settled = found.success.settlement
        const { numerator, denominator } = exact(value, settled.rate, from, to)
        assert.strictEqual(BigInt(settled.value), numerator / denominator)
      }),
      { numRuns: 1_000 },
    )
  })

  it("has a rate of at most twelve significant digits, below the mid-market rate", () => {
    fc.assert(
      fc.property(pair, kinds, ([from, to], kind) => {
        const { rate } = Result.getOrThrow(settlement(1_000_000, from, to, kind)).settlement
        assert.isAtMost(rate.replace(".", "").replace(/^0+/, "").length, 12)
        const mid = Number(rates[to]) / Number(rates[from])
        if (from === to) assert.strictEqual(rate, "1")
        else assert.isBelow(Number(rate), mid)
        assert.isAbove(Number(rate), mid * 0.987)
      }),
      { numRuns: 1_000 },
    )
  })

  it("grows with the amount", () => {
    fc.assert(
      fc.property(amounts, amounts, pair, (a, b, [from, to]) => {
        const more = settlement(Math.max(a, b), from, to)
        fc.pre(Result.isSuccess(more))
        const less = settlement(Math.min(a, b), from, to)
        fc.pre(Result.isSuccess(less))
        assert.isAtMost(less.success.settlement.value, more.success.settlement.value)
      }),
      { numRuns: 1_000 },
    )
  })
})
