import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Currency } from "../../../core/shared/Currency.ts"
import { equals, fromMajor, isPayable, MAX_VALUE, toMajor } from "../../../core/shared/Money.ts"

const JPY: Currency = { code: "JPY", exponent: 0 }
const USD: Currency = { code: "USD", exponent: 2 }
const KWD: Currency = { code: "KWD", exponent: 3 }
const CLF: Currency = { code: "CLF", exponent: 4 }

describe("isPayable", () => {
  it.each([0, -1, 0.5, MAX_VALUE + 1, Number.NaN, Infinity, -Infinity, 2 ** 53])(
    "%s is not payable",
    (value) => expect(isPayable(value)).toBe(false),
  )
  it.each([1, 699, MAX_VALUE])("%s is payable", (value) => expect(isPayable(value)).toBe(true))
})

describe("fromMajor", () => {
  it.each<[text: string, currency: Currency]>([
    ["", USD],
    [" 1", USD],
    ["1\n", USD],
    ["-1", USD],
    ["+1", USD],
    ["1e2", USD],
    ["0x10", USD],
    ["1,000.00", USD],
    ["1.", USD],
    [".5", USD],
    ["1.2.3", USD],
    ["Infinity", USD],
    ["NaN", USD],
    ["١", USD],
    ["6.999", USD],
    ["0.001", USD],
    ["0.5", JPY],
    ["1.0001", KWD],
    ["10000000000.01", USD],
    ["1000000000001", JPY],
    ["9999999999999999", USD],
    ["99999999999999999", USD],
    ["1.00000000000000000", USD],
  ])("%j %o is no amount", (text, currency) => {
    expect(fromMajor(text, currency)).toBeUndefined()
  })

  it.each<[text: string, currency: Currency, value: number]>([
    ["0", USD, 0],
    ["0.00", USD, 0],
    ["6.99", USD, 699],
    ["6.9", USD, 690],
    ["6.990000", USD, 699],
    ["007", USD, 700],
    ["500", JPY, 500],
    ["500.00", JPY, 500],
    ["1.001", KWD, 1001],
    ["0.0001", CLF, 1],
    ["10000000000.00", USD, MAX_VALUE],
    ["1000000000000", JPY, MAX_VALUE],
  ])("%s in %o is %i", (text, currency, value) => {
    expect(fromMajor(text, currency)).toBe(value)
  })
})

describe("toMajor", () => {
  it.each<[value: number, currency: Currency, text: string]>([
    [0, USD, "0.00"],
    [1, USD, "0.01"],
    [99, USD, "0.99"],
    [100, USD, "1.00"],
    [699, USD, "6.99"],
    [500, JPY, "500"],
    [0, JPY, "0"],
    [1, KWD, "0.001"],
    [12_345, CLF, "1.2345"],
    [MAX_VALUE, USD, "10000000000.00"],
    [-5, USD, "-0.05"],
    [-699, USD, "-6.99"],
    [-500, JPY, "-500"],
    [-1, CLF, "-0.0001"],
  ])("%i in %o is %s", (value, currency, text) => {
    expect(toMajor({ currency: currency.code, value }, currency)).toBe(text)
  })

  it("is undone by fromMajor, for every amount and currency", () => {
    const currency = fc.integer({ min: 0, max: 4 }).map((exponent) => ({ code: "XXX", exponent }))
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_VALUE }), currency, (value, into) => {
        expect(fromMajor(toMajor({ currency: "XXX", value }, into), into)).toBe(value)
      }),
    )
  })
})

describe("equals", () => {
  it.each([
    [{ currency: "USD", value: 699 }, { currency: "USD", value: 700 }, false],
    [{ currency: "USD", value: 699 }, { currency: "EUR", value: 699 }, false],
    [{ currency: "USD", value: 699 }, { currency: "usd", value: 699 }, false],
    [{ currency: "USD", value: 699 }, { currency: "USD", value: 699 }, true],
  ])("%o and %o: %s", (a, b, same) => {
    expect(equals(a, b)).toBe(same)
    expect(equals(b, a)).toBe(same)
  })
})
