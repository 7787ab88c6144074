import { describe, expect, it } from "vitest"
import { defaultCatalog } from "../../../../core/channels/Catalog.ts"
import { atLeast, KYC_LEVELS, type KycLevel, lower } from "../../../../core/channels/Channel.ts"
import { channelsOf, LIMITS, levelAbove, limitsView } from "../../../../core/kyc/limits/Limits.ts"

describe("the level that a payment needs", () => {
  const cases: ReadonlyArray<
    [cents: number, spent: number, present: KycLevel, needed: KycLevel | null]
  > = [
    [1_000_001, 0, "anonymous", null],
    [1_000_000, 9_000_001, "anonymous", null],
    [1, 10_000_000, "anonymous", null],
    [1_000_000, 9_000_000, "anonymous", "business"],
    [100_001, 0, "basic", "business"],
    [100_000, 0, "basic", "enhanced"],
    [1, 100_000, "anonymous", "enhanced"],
    [10_001, 0, "anonymous", "enhanced"],
    [10_000, 0, "anonymous", "basic"],
    [1_000, 9_001, "anonymous", "basic"],
    [1_001, 0, "anonymous", "basic"],
    [1, 0, "anonymous", "basic"],
    [1_000, 0, "basic", "enhanced"],
    [10_000, 0, "enhanced", "business"],
    [1, 0, "business", null],
  ]
  it.each(cases)("for %d cents after %d is above %s: %s", (cents, spent, present, needed) => {
    expect(levelAbove(LIMITS, present, cents, spent)).toBe(needed)
  })

  it("is never a lower one, even if that may pay more", () => {
    const limits = { ...LIMITS, basic: { per_transaction: 5_000, daily: 5_000 } }
    expect(levelAbove(limits, "enhanced", 200_000, 0)).toBe("business")
  })
})

describe("levels", () => {
  it("include the ones below", () => {
    for (const [n, a] of KYC_LEVELS.entries()) {
      for (const [m, b] of KYC_LEVELS.entries()) {
        expect(atLeast(a, b)).toBe(n >= m)
        expect(lower(a, b)).toBe(KYC_LEVELS[Math.min(n, m)])
      }
    }
  })

  it("show their limits in whole dollars", () => {
    expect(limitsView(LIMITS, "enhanced")).toStrictEqual({
      daily: { currency: "USD", value: 10_000 },
      per_transaction: { currency: "USD", value: 1_000 },
    })
  })

  it("open more channels the higher they are", () => {
    const open = KYC_LEVELS.map((level) => channelsOf(defaultCatalog, level))
    expect(open[0]).toStrictEqual(["wallet_a", "wallet_b"])
    expect(open.map(({ length }) => length)).toStrictEqual([2, 9, 10, 13])
  })
})
