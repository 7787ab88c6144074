import { describe, expect, it } from "vitest"
import {
  giveBack,
  overDay,
  overTransaction,
  reserve,
  spendingOf,
} from "../../../../core/kyc/limits/Limits.ts"
import type { KycLevel } from "../../../../core/channels/Channel.ts"
import { T0 } from "../../../support/records.ts"

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
