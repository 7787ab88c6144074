import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Currency } from "../../../core/shared/Currency.ts"
import { MAX_VALUE } from "../../../core/shared/Money.ts"
import { convert, cross, leastConverted, DOLLAR, ONE, worth } from "../../../core/shared/Rate.ts"

/** An exact fraction: an independent way to the same numbers. */
interface Fraction {
  readonly over: bigint
  readonly under: bigint
}

const fraction = (decimal: string): Fraction => {
  const [whole = "", part = ""] = decimal.split(".")
  return { over: BigInt(whole + part), under: 10n ** BigInt(part.length) }
}

/** The whole number nearest to a fraction; the even one of two that are as near. */
const nearest = ({ over, under }: Fraction): bigint => {
  const floor = over / under
  const twice = 2n * (over % under)
  if (twice !== under) return twice > under ? floor + 1n : floor
  return floor % 2n === 0n ? floor : floor + 1n
}

/** A fraction times a power of ten. */
const shifted = ({ over, under }: Fraction, power: number): Fraction =>
  power >= 0
    ? { over: over * 10n ** BigInt(power), under }
    : { over, under: under * 10n ** BigInt(-power) }

const isBelow = ({ over, under }: Fraction, bound: bigint): boolean => over < bound * under

const currency = (exponent: number): Currency => ({ code: "XXX", exponent })

const exponents = fc.integer({ min: 0, max: 4 })
const amounts = fc.integer({ min: 0, max: MAX_VALUE })

/** Positive decimals of up to 8 digits on either side. */
const rates = fc
  .tuple(fc.integer({ min: 0, max: 99_999_999 }), fc.integer({ min: 1, max: 99_999_999 }))
  .map(([whole, part]) => `${whole}.${String(part).padStart(8, "0")}`)

describe("convert", () => {
  it.each<[value: number, rate: string, from: number, to: number, expected: number, least: number]>(
    [
      [699, ONE, 2, 2, 699, 1],
      [1, "0.5", 0, 0, 0, 2],
      [7, "0.5", 0, 0, 3, 2],
      [1, "0.99999999", 0, 0, 0, 2],
      [100, "155.5", 2, 0, 155, 1],
      [100, "0.3079", 2, 3, 307, 1],
      [1, "0.000000000001", 2, 2, 0, MAX_VALUE],
      [99, "0.01", 2, 0, 0, 10_000],
      [MAX_VALUE, "0.999999999999", 2, 2, 999_999_999_999, 2],
    ],
  )("%i at %s from exponent %i to %i is %i, rounded down", (value, rate, from, to, is, least) => {
    expect(convert(value, rate, currency(from), currency(to), "floor")).toBe(is)
    expect(leastConverted(rate, currency(from), currency(to))).toBe(least)
  })

  it.each<[value: number, rate: string, from: number, to: number, expected: number]>([
    [699, ONE, 2, 2, 699],
    [0, "7.1", 2, 2, 0],
    [1, "0.5", 0, 0, 0],
    [3, "0.5", 0, 0, 2],
    [5, "0.5", 0, 0, 2],
    [7, "0.5", 0, 0, 4],
    [1, "0.50000001", 0, 0, 1],
    [1, "0.49999999", 0, 0, 0],
    [100, "155.5", 2, 0, 156],
    [100, "0.3075", 2, 3, 308],
    [500, "0.0064", 0, 2, 320],
    [1, "0.000000000001", 2, 2, 0],
    [MAX_VALUE, "0.999999999999", 2, 2, 999_999_999_999],
    [MAX_VALUE, "1", 0, 2, MAX_VALUE * 100],
  ])("%i at %s from exponent %i to %i is %i", (value, rate, from, to, expected) => {
    expect(convert(value, rate, currency(from), currency(to), "half-even")).toBe(expected)
  })

  it("is the exact product, rounded once, half to even or down", () => {
    fc.assert(
      fc.property(amounts, rates, exponents, exponents, (value, rate, from, to) => {
        const { over, under } = fraction(rate)
        const exact = {
          over: BigInt(value) * over * 10n ** BigInt(to),
          under: under * 10n ** BigInt(from),
        }
        const [sold, bought] = [currency(from), currency(to)]
        expect(convert(value, rate, sold, bought, "half-even")).toBe(Number(nearest(exact)))
        expect(convert(value, rate, sold, bought, "floor")).toBe(Number(exact.over / exact.under))
      }),
    )
  })

  it("changes nothing at the rate of a currency against itself", () => {
    fc.assert(
      fc.property(amounts, exponents, (value, exponent) => {
        const same = currency(exponent)
        expect(convert(value, ONE, same, same, "half-even")).toBe(value)
        expect(convert(value, ONE, same, same, "floor")).toBe(value)
      }),
    )
  })

  it("gives no less for more", () => {
    fc.assert(
      fc.property(amounts, amounts, rates, exponents, exponents, (a, b, rate, from, to) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)].map((value) =>
          convert(value, rate, currency(from), currency(to), "floor"),
        )
        expect(less).toBeLessThanOrEqual(more!)
      }),
    )
  })
})

describe("cross", () => {
  it.each<[usdToBase: string, usdToQuote: string, spread: number, expected: string]>([
    ["1", "1", 0, "1"],
    ["1", "0.92", 0, "0.92"],
    ["0.92", "1", 0, "1.08695652173"],
    ["3", "1", 0, "0.333333333333"],
    ["3", "2", 0, "0.666666666666"],
    ["3", "2", 1, "0.6666"],
    ["7", "6", 1, "0.857057142857"],
    ["7", "11", 1, "1.57127142857"],
    ["9", "5", 1, "0.5555"],
    ["155.5", "7.1", 0, "0.0456591639871"],
    ["1", "123456789012345", 0, "123456789012000"],
    ["1", "999999999999.9", 0, "999999999999"],
    ["1", "999999999999999", 1, "999900000000000"],
    ["1000000", "0.000001", 0, "0.000000000001"],
    ["1", "1000000000000000000000000", 0, "1000000000000000000000000"],
    ["1", "0.1234567890125", 0, "0.123456789012"],
    ["1", "0.1234567890135", 0, "0.123456789013"],
    ["1", "1", 50, "0.995"],
    ["1", "0.92", 100, "0.9108"],
    ["3", "1", 1, "0.3333"],
    ["1", "1", 0.0, "1"],
  ])("from %s to %s less %i is %s", (usdToBase, usdToQuote, spread, expected) => {
    expect(cross(usdToBase, usdToQuote, spread)).toBe(expected)
  })

  it.each([
    ["0", "1"],
    ["0.000", "1"],
    ["-1", "1"],
    ["1", "0"],
    ["1", "-0.5"],
  ])("from %s to %s there is none", (usdToBase, usdToQuote) => {
    expect(cross(usdToBase, usdToQuote)).toBeUndefined()
  })

  it("has twelve significant digits, half to even or at most mid-market, and no exponent", () => {
    const spreads = fc.integer({ min: 0, max: 9_999 })
    fc.assert(
      fc.property(rates, rates, spreads, (base, quote, spread) => {
        const rate = cross(base, quote, spread)
        expect(rate).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
        const [b, q, got] = [fraction(base), fraction(quote), fraction(rate ?? "")]
        const exact = {
          over: q.over * b.under * BigInt(10_000 - spread),
          under: q.under * b.over * 10_000n,
        }
        let power = 0
        while (isBelow(shifted(exact, power), 10n ** 11n)) power += 1
        while (!isBelow(shifted(exact, power), 10n ** 12n)) power -= 1
        const { over, under } = shifted(got, power)
        const twelve = shifted(exact, power)
        const kept = spread === 0 ? twelve.over / twelve.under : nearest(twelve)
        expect(over).toBe(kept * under)
      }),
    )
  })
})

describe("what an amount is worth in another currency", () => {
  const exponent: Readonly<Record<string, number>> = { USD: 2, EUR: 2, JPY: 0, KWD: 3 }
  const per = (code: string, rate: string) => ({
    rate,
    currency: { code, exponent: exponent[code]! },
  })
  const yen = per("JPY", "150.5")
  const dinar = per("KWD", "0.3")
  const rows: ReadonlyArray<[...Parameters<typeof worth>, number]> = [
    [699, DOLLAR, DOLLAR, "up", 699],
    [1, per("JPY", "150"), DOLLAR, "up", 1],
    [150, per("JPY", "150"), DOLLAR, "up", 100],
    [151, per("JPY", "150"), DOLLAR, "up", 101],
    [1_000, per("KWD", "0.307"), DOLLAR, "up", 326],
    [307, per("KWD", "0.307"), DOLLAR, "up", 100],
    [308, per("KWD", "0.307"), DOLLAR, "up", 101],
    [1, per("USD", "3"), DOLLAR, "up", 1],
    [1_000_000_000_000, DOLLAR, DOLLAR, "up", 1_000_000_000_000],
    [1, yen, DOLLAR, "up", 1],
    [151, yen, DOLLAR, "up", 101],
    [301, yen, DOLLAR, "up", 200],
    [1, DOLLAR, yen, "up", 2],
    [1_000, dinar, DOLLAR, "up", 334],
    [1_000_000_000_000, dinar, yen, "up", 501_666_666_667],
    [699, DOLLAR, DOLLAR, "half-even", 699],
    [1_000, per("JPY", "150"), DOLLAR, "half-even", 667],
    [3, per("JPY", "200"), DOLLAR, "half-even", 2],
    [1, per("JPY", "200"), DOLLAR, "half-even", 0],
    [1_000, dinar, DOLLAR, "half-even", 333],
    [9_007_199_254_740_991, per("EUR", "1"), DOLLAR, "half-even", 9_007_199_254_740_991],
  ]
  it.each(rows)("%d of %o in %o, rounded %s", (value, from, to, rounding, expected) => {
    expect(worth(value, from, to, rounding)).toBe(expected)
  })

  it("is rounded up never to less than its worth, nor to a whole minor unit more", () => {
    const minor = fc.integer({ min: 1, max: 1_000_000_000_000 })
    fc.assert(
      fc.property(minor, fc.integer({ min: 1_000, max: 10_000_000 }), (value, millionths) => {
        const perDollar = (BigInt(millionths) * 1_000n).toString().padStart(10, "0")
        const rate = `${perDollar.slice(0, -9)}.${perDollar.slice(-9)}`
        const cents = BigInt(worth(value, per("EUR", rate), DOLLAR, "up"))
        const paid = BigInt(value) * 1_000_000n
        expect(cents * BigInt(millionths) >= paid).toBe(true)
        expect((cents - 1n) * BigInt(millionths) < paid).toBe(true)
      }),
    )
  })
})
