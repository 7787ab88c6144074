import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { currencies } from "../../../../adapters/fx/Currencies.ts"
import {
  centsOf,
  giveBack,
  overDay,
  overTransaction,
  reserve,
  spendingOf,
} from "../../../../core/kyc/limits/Gate.ts"
import type { KycLevel } from "../../../../core/kyc/limits/Level.ts"
import type { Currency } from "../../../../core/shared/Currency.ts"
import { T0 } from "../../../support/records.ts"

const currency = (code: string): Currency => {
  const found = currencies.get(code)
  if (found === undefined) throw new Error(`There is no ${code}.`)
  return found
}

describe("what a payment is worth in US cents", () => {
  const cases: ReadonlyArray<[value: number, code: string, perDollar: string, cents: number]> = [
    [699, "USD", "1", 699],
    [1, "JPY", "150", 1],
    [150, "JPY", "150", 100],
    [151, "JPY", "150", 101],
    [1_000, "KWD", "0.307", 326],
    [307, "KWD", "0.307", 100],
    [308, "KWD", "0.307", 101],
    [1, "USD", "3", 1],
    [1_000_000_000_000, "USD", "1", 1_000_000_000_000],
  ]
  it.each(cases)("%d of %s at %s to the dollar is %d", (value, code, perDollar, cents) => {
    expect(centsOf({ currency: code, value }, perDollar, currency(code))).toBe(cents)
  })

  it("is never less than its worth, nor a whole cent more", () => {
    const minor = fc.integer({ min: 1, max: 1_000_000_000_000 })
    fc.assert(
      fc.property(minor, fc.integer({ min: 1_000, max: 10_000_000 }), (value, millionths) => {
        const perDollar = (BigInt(millionths) * 1_000n).toString().padStart(10, "0")
        const rate = `${perDollar.slice(0, -9)}.${perDollar.slice(-9)}`
        const cents = BigInt(centsOf({ currency: "EUR", value }, rate, currency("EUR")))
        const paid = BigInt(value) * 1_000_000n
        expect(cents * BigInt(millionths) >= paid).toBe(true)
        expect((cents - 1n) * BigInt(millionths) < paid).toBe(true)
      }),
    )
  })
})

const spender = (level: KycLevel, agent = "agt_1") => ({ account_id: "acct_1", agent, level })

describe("a place within the day's limit", () => {
  it("is one of the agent's own, and of its account's for those who are not verified", () => {
    const verified = spendingOf(spender("basic"), 5, T0)
    expect(verified.counters).toStrictEqual(["kyc_day:agt_1:2026-01-01"])
    const anonymous = spendingOf(spender("anonymous"), 5, T0)
    expect(anonymous.counters).toStrictEqual([
      "kyc_day:agt_1:2026-01-01",
      "kyc_day:acct_1:2026-01-01",
    ])
    const other = spendingOf(spender("anonymous", "agt_2"), 5, T0)
    expect(other.counters[1]).toBe(anonymous.counters[1])
  })

  it("is another one from UTC midnight on", () => {
    const day = 86_400_000
    const at = (time: number) => spendingOf(spender("basic"), 5, time).counters
    expect(at(T0 + day - 1)).toStrictEqual(at(T0))
    expect(at(T0 + day)).toStrictEqual(["kyc_day:agt_1:2026-01-02"])
  })

  it("is given back as it was taken", () => {
    const spending = spendingOf(spender("anonymous"), 5, T0)
    const taken = reserve("anonymous", spending)
    expect(taken.map(({ add, limit }) => [add, limit])).toStrictEqual([
      [5, 10_000],
      [5, 10_000],
    ])
    expect(giveBack(spending).map(({ add, counter }) => [counter, -add])).toStrictEqual(
      taken.map(({ add, counter }) => [counter, add]),
    )
  })
})

describe("refusals", () => {
  const amount = { currency: "USD", value: 1_001 }
  const about = { level: "anonymous", amount, base_url: "https://pay.test" } as const

  it("say what the level may pay, and which level may pay this", () => {
    expect(overTransaction(about, 1_000)).toBeUndefined()
    expect(overTransaction(about, 1_001)).toMatchObject({
      code: "INSUFFICIENT_KYC",
      details: {
        current_kyc_level: "anonymous",
        current_txn_limit: { currency: "USD", value: 10 },
        requested_amount: amount,
        required_kyc_level: "basic",
        upgrade_url: "https://pay.test/v1/kyc/verify",
        limit: "per_transaction",
      },
    })
  })

  it("name no level where none would do", () => {
    const most = { ...about, level: "business" } as const
    expect(overTransaction(most, 1_000_001)?.details).toMatchObject({ required_kyc_level: null })
    expect(overDay(most, 2, 9_999_999).details).toMatchObject({ required_kyc_level: null })
    expect(overDay(about, 2, 9_999).details).toMatchObject({
      required_kyc_level: "basic",
      limit: "daily",
      current_daily_limit: { currency: "USD", value: 100 },
    })
  })
})
