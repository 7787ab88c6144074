import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { currencies } from "../../../adapters/fx/Currencies.ts"
import { defaultRates } from "../../../adapters/fx/DatedRates.ts"
import { begun, NOTHING_REFUNDED, sharesOf } from "../../../core/payments/Refunded.ts"
import { FEES, settle } from "../../../core/pricing/Price.ts"

/** Some that are fixed to the dollar too: a stablecoin exchanges those without a spread. */
const perDollar: { readonly [currency: string]: string } = {
  ...defaultRates.per_dollar,
  AED: "3.6725",
  BHD: "0.376",
  JOD: "0.709",
}

const codes = Object.keys(perDollar)
const channels = [{ kind: "consumer_wallet" }, { kind: "stablecoin", pegged_to: "USD" }] as const
type PricedBy = (typeof channels)[number]

const settledAs = (value: number, from: string, to: string, channel: PricedBy) =>
  settle({
    amount: { currency: from, value },
    settlement_currency: to,
    method: "one_time",
    channel,
    usdToPayer: perDollar[from] ?? "1",
    usdToSettlement: perDollar[to] ?? "1",
    currencies,
    fees: FEES,
  })

/** Returns the settlement of the amount; 0 if it is refused. */
const yieldOf = (value: number, from: string, to: string, channel: PricedBy): number => {
  const settled = settledAs(value, from, to, channel)
  return Result.isSuccess(settled) ? settled.success.settlement.value : 0
}

const fraction = (decimal: string): readonly [bigint, bigint] => {
  const [whole = "0", digits = ""] = decimal.split(".")
  return [BigInt(whole + digits), 10n ** BigInt(digits.length)]
}

/** Returns an amount's worth at the mid-market rate, rounded down to whole minor units. */
const wholeWorth = (value: number, from: string, to: string): number => {
  const [sold, soldUnder] = fraction(perDollar[from] ?? "")
  const [bought, boughtUnder] = fraction(perDollar[to] ?? "")
  const exponent = (code: string) => BigInt(currencies.get(code)?.exponent ?? 0)
  const above = BigInt(value) * bought * soldUnder * 10n ** exponent(to)
  return Number(above / (sold * boughtUnder * 10n ** exponent(from)))
}

const pairs = codes.flatMap((from) => codes.map((to) => [from, to] as const))
/** Few minor units, where rounding weighs most, and many. */
const amounts = fc.oneof(
  fc.integer({ min: 1, max: 2_000 }),
  fc.integer({ min: 1, max: 1_000_000_000_000 }),
)
const parts = fc.array(fc.nat(), { minLength: 1, maxLength: 20 })
const way = fc.record({ pair: fc.constantFrom(...pairs), channel: fc.constantFrom(...channels) })

/** The amount in parts that add up to it, each of at least one minor unit. */
const split = (value: number, cuts: ReadonlyArray<number>): ReadonlyArray<number> => {
  const at = [...new Set([0, ...cuts.map((cut) => cut % value), value])].toSorted((a, b) => a - b)
  return at.slice(1).map((end, n) => end - (at[n] ?? 0))
}

const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)

describe("many small payments", () => {
  it("of 7 KRW do not settle to more than one large", () => {
    const [channel] = channels
    const whole = yieldOf(181 * 7, "KRW", "USD", channel)
    expect(181 * yieldOf(7, "KRW", "USD", channel)).toBeLessThanOrEqual(whole)
  })

  it("each settle to something: what would settle to nothing is refused, with the minimum", () => {
    const { code, details } = Result.getOrThrow(
      Result.flip(settledAs(100, "IDR", "USD", channels[0])),
    )
    expect(code).toBe("INVALID_AMOUNT")
    const { minimum } = details as { readonly minimum: { currency: string; value: number } }
    expect(minimum.currency).toBe("IDR")
    expect(yieldOf(minimum.value, "IDR", "USD", channels[0])).toBe(1)
    expect(yieldOf(minimum.value - 1, "IDR", "USD", channels[0])).toBe(0)
  })

  it("have a minimum that is the least that settles, whatever the pair", () => {
    for (const channel of channels) {
      for (const [from, to] of pairs) {
        const settled = settledAs(1, from, to, channel)
        if (Result.isSuccess(settled)) continue
        const { details } = settled.failure
        const { value } = (details as { readonly minimum: { readonly value: number } }).minimum
        const yields = [value, value - 1].map((paid) => yieldOf(paid, from, to, channel))
        expect([from, to, ...yields]).toEqual([from, to, 1, 0])
      }
    }
  })

  it("never settle to more than the whole, whatever the pair, the parts and their order", () => {
    fc.assert(
      fc.property(way, amounts, parts, ({ channel, pair: [from, to] }, value, cuts) => {
        const settled = settledAs(value, from, to, channel)
        fc.pre(Result.isSuccess(settled) || "minimum" in (settled.failure.details as object))
        const pieces = split(value, cuts)
        const yields = pieces.map((piece) => yieldOf(piece, from, to, channel))
        expect(sum(yields)).toBeLessThanOrEqual(yieldOf(value, from, to, channel))
      }),
      { numRuns: 5_000 },
    )
  })
})

describe("a detour", () => {
  const stops = fc.array(fc.tuple(fc.constantFrom(...codes), fc.constantFrom(...channels)), {
    minLength: 1,
    maxLength: 4,
  })

  it("by any currency and back never yields more than was paid", () => {
    const more: Array<string> = []
    for (const [from, by] of pairs) {
      for (const there of channels) {
        for (const value of [7, 1_999, 123_456_789, 1_000_000_000_000]) {
          const way = yieldOf(value, from, by, there)
          const back = channels.map((channel) => (way > 0 ? yieldOf(way, by, from, channel) : 0))
          if (Math.max(...back) > value) more.push(`${value} ${from} by ${by}: ${back.join()}`)
        }
      }
    }
    expect(more).toEqual([])
  })

  it("never yields more than the amount is worth, through any currencies and channels", () => {
    fc.assert(
      fc.property(fc.constantFrom(...codes), amounts, stops, (from, value, route) => {
        let [currency, left] = [from, value]
        for (const [to, channel] of route) {
          left = left === 0 ? 0 : yieldOf(left, currency, to, channel)
          currency = to
        }
        expect(left).toBeLessThanOrEqual(wholeWorth(value, from, currency))
      }),
      { numRuns: 5_000 },
    )
  })
})

describe("refunds", () => {
  it("of a part of the smallest payment leave nothing of its settlement", () => {
    const value = 14
    const settlement = yieldOf(value, "KRW", "USD", channels[0])
    expect(settlement).toBe(1)
    const payment = {
      amount: { currency: "KRW", value },
      settlement: { currency: "USD", value: settlement },
      fees: null,
      refunded: NOTHING_REFUNDED,
    }
    expect(sharesOf(payment, 6).settlement.value).toBe(1)
  })

  it("leave no more than what is left to be paid would settle to", () => {
    fc.assert(
      fc.property(way, amounts, parts, fc.nat(), ({ channel, pair }, value, cuts, count) => {
        const [from, to] = pair
        const settled = settledAs(value, from, to, channel)
        fc.pre(Result.isSuccess(settled))
        const { settlement } = settled.success
        let payment = {
          amount: { currency: from, value },
          settlement,
          fees: null,
          refunded: NOTHING_REFUNDED,
        }
        const pieces = split(value, cuts)
        for (const piece of pieces.slice(0, count % (pieces.length + 1))) {
          const shares = sharesOf(payment, piece)
          payment = { ...payment, refunded: begun(payment.refunded, shares) }
        }
        const { refunded } = payment
        const left = value - refunded.value
        const kept = settlement.value - refunded.settlement
        expect(kept).toBeLessThanOrEqual(left === 0 ? 0 : yieldOf(left, from, to, channel))
      }),
      { numRuns: 5_000 },
    )
  })
})
