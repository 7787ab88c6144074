import { describe, expect, test } from "vitest"
import { Model } from "../../../../simulator/auditor/Model.ts"
import type { RestingPayment, SeenRefund } from "../../../../simulator/blackbox/Seen.ts"
import { refundsAllowed } from "../../../../simulator/blackbox/rules/payments.ts"

const DOLLARS = { currency: "USD", value: 500 }

const parts = (count: number, created_at: string): ReadonlyArray<SeenRefund> =>
  Array.from({ length: count }, (_, n) => {
    const refund = { id: `ref_${n}`, amount: { ...DOLLARS, value: 1 }, status: "succeeded" }
    return { ...refund, created_at } as SeenRefund
  })

const refunded = (refunds: RestingPayment["refunds"], rules: RestingPayment["refund_rules"]) => {
  const seen = { channel: "wallet_a", amount: DOLLARS, succeeded_at: "2026-03-01T00:00:00.000Z" }
  return { seen, refunds, refund_rules: rules } as RestingPayment
}

const rulesOf = (max_partial_refunds: number, window_days: number) =>
  ({ type: 1, max_partial_refunds, window_days, rate_per_second: 100 }) as const

describe("refunds are judged by the rules of the service's own channel", () => {
  test.each([
    ["as many as it says", 60, "2026-03-02T00:00:00.000Z", rulesOf(60, 1), undefined],
    ["more than it says", 3, "2026-03-02T00:00:00.000Z", rulesOf(2, 1), /3 parts refunded, of 2/],
    ["within its window", 1, "2028-03-01T00:00:00.000Z", rulesOf(2, 1_000), undefined],
    ["after its window", 1, "2026-03-03T00:00:00.000Z", rulesOf(2, 1), /ref_0, which is too late/],
    ["rules that nobody knows", 60, "2030-01-01T00:00:00.000Z", undefined, undefined],
  ])("%s", (_, count, at, rules, said) => {
    const found = refundsAllowed(refunded(parts(count, at), rules), new Model())
    if (said === undefined) expect(found).toBeUndefined()
    else expect(found).toMatch(said)
  })
})
