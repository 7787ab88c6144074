import { describe, expect, it } from "vitest"
import {
  channelTooHigh,
  giveBack,
  LIMITS,
  overDay,
  overTransaction,
  reserve,
  spendingOf,
} from "../../../../core/kyc/limits/Limits.ts"
import type { KycLevel } from "../../../../core/channels/Channel.ts"
import { T0 } from "../../../support/records.ts"

const spender = (level: KycLevel, agent = "agt_1") => ({
  party: "payer" as const,
  account_id: "acct_1",
  agent,
  level,
  persons: [] as ReadonlyArray<string>,
})

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

  it("of a payee is one for all that its account is paid by nobody in particular", () => {
    const payee = { ...spender("anonymous"), party: "payee" as const }
    expect(spendingOf(payee, 5, T0).counters).toStrictEqual(["kyc_day:payee:acct_1:2026-01-01"])
    const verified = { ...payee, level: "basic" as const }
    expect(spendingOf(verified, 5, T0)).toStrictEqual(spendingOf(payee, 5, T0))
  })

  it("is one of the person's, whatever agents and accounts it acts by", () => {
    const acting = { ...spender("basic"), persons: ["aa", "bb"] }
    const sums = ["kyc_day:person:aa:2026-01-01", "kyc_day:person:bb:2026-01-01"]
    expect(spendingOf(acting, 5, T0).counters).toStrictEqual(["kyc_day:agt_1:2026-01-01", ...sums])
    const payee = { ...acting, party: "payee" as const }
    expect(spendingOf(payee, 5, T0).counters).toStrictEqual([
      "kyc_day:payee:acct_1:2026-01-01",
      "kyc_day:payee:aa:2026-01-01",
      "kyc_day:payee:bb:2026-01-01",
    ])
  })

  it("is another one from UTC midnight on", () => {
    const day = 86_400_000
    const at = (time: number) => spendingOf(spender("basic"), 5, time).counters
    expect(at(T0 + day - 1)).toStrictEqual(at(T0))
    expect(at(T0 + day)).toStrictEqual(["kyc_day:agt_1:2026-01-02"])
  })

  it("is given back as it was taken", () => {
    const spending = spendingOf(spender("anonymous"), 5, T0)
    const taken = reserve(LIMITS, "anonymous", spending)
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
  const amount = { currency: "USD", value: 99_999_999 }
  const currency = { code: "USD", exponent: 2 }
  const base = { limits: LIMITS, told: true, amount, currency, base_url: "https://pay.test" }
  const about = (level: KycLevel, party: "payer" | "payee" = "payer") => ({
    ...base,
    spender: { level, party },
  })

  it("say what the level may pay, and which level may pay this", () => {
    expect(overTransaction(about("anonymous"), 1_000)).toBeUndefined()
    expect(overTransaction(about("anonymous"), 1_001)).toMatchObject({
      code: "INSUFFICIENT_KYC",
      details: {
        party: "payer",
        current_kyc_level: "anonymous",
        current_txn_limit: { currency: "USD", value: 10 },
        requested_amount: amount,
        required_kyc_level: "basic",
        upgrade_url: "https://pay.test/v1/kyc/verify",
        limit: "per_transaction",
      },
    })
  })

  it("say in words what is allowed in dollars, and what was asked for in its currency", () => {
    expect(overTransaction(about("basic"), 99_999_999)?.message).toBe(
      "The payer is verified as basic: 100 USD are allowed per payment, 999,999.99 USD were " +
        "requested. No level allows more.",
    )
    const yen = { amount: { currency: "JPY", value: 150_000 }, currency: yenCurrency }
    expect(overTransaction({ ...about("basic", "payee"), ...yen }, 100_000)?.message).toBe(
      "The payee is verified as basic: 100 USD are allowed per payment, 150,000 JPY were " +
        "requested. The payee needs the level enhanced: see upgrade_url.",
    )
    expect(overDay({ ...about("basic"), ...yen }, 5_000, 95_050).message).toBe(
      "The payer is verified as basic: 1,000 USD are allowed per UTC day and 950.50 USD are " +
        "used, 150,000 JPY were requested. The payer needs the level enhanced: see upgrade_url.",
    )
  })

  it("tell others of no level and no limit", () => {
    const other = { ...about("basic"), told: false }
    const told = [
      overTransaction(other, 99_999_999),
      overDay(other, 5, 100_000),
      channelTooHigh(other, "business_b", "business"),
    ]
    for (const failure of told) {
      expect(Object.keys(failure?.details ?? {})).toEqual(["party", "requested_amount", "limit"])
      expect(failure?.message).toBe(
        "The payment exceeds the limits of the payer: 999,999.99 USD were requested.",
      )
    }
  })

  it("name no level where none would do", () => {
    const most = about("business")
    expect(overTransaction(most, 1_000_001)?.details).toMatchObject({ required_kyc_level: null })
    expect(overDay(most, 2, 9_999_999).details).toMatchObject({ required_kyc_level: null })
    expect(overDay(about("anonymous"), 2, 9_999).details).toMatchObject({
      required_kyc_level: "basic",
      limit: "daily",
      current_daily_limit: { currency: "USD", value: 100 },
    })
  })
})

const yenCurrency = { code: "JPY", exponent: 0 }
