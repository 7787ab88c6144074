import { assert, describe, it } from "@effect/vitest"
import type { Plan } from "../../../core/accounts/Account.ts"
import { billView } from "../../../core/billing/BillView.ts"
import { billOf } from "../../../core/billing/Bill.ts"
import { usualTerms } from "../../../core/terms/Terms.ts"
import { startOf } from "../../../core/shared/Month.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"

const month = "2026-04"

const bill = (plan: Plan, usd: number, counts = (_: string) => 0, opened_at = 0) =>
  billOf({
    month,
    plan,
    opened_at,
    counts,
    terms: usualTerms.plans[plan],
    usage: usualTerms.usage,
    volumes: [{ amount: { currency: "USD", value: usd }, usd }],
  })

describe("bills", () => {
  it("charge the overage on what is above the cap alone, rounded once, half to even", () => {
    const rows: ReadonlyArray<readonly [Plan, number, number]> = [
      ["starter", 0, 0],
      ["starter", 1_000_000, 0],
      ["starter", 1_000_050, 0],
      ["starter", 1_000_051, 1],
      ["starter", 1_000_150, 2],
      ["starter", 1_000_250, 2],
      ["starter", 3_000_000, 20_000],
      ["pro", 10_000_000, 0],
      ["pro", 10_000_100, 0],
      ["pro", 10_000_300, 2],
      ["pro", 30_000_000, 100_000],
      ["enterprise", 900_000_000_000, 0],
    ]
    for (const [plan, usd, overage] of rows) {
      assert.strictEqual(bill(plan, usd).overage, overage, `${plan} ${usd}`)
    }
  })

  it("charge the first month by the days from the opening on", () => {
    const price = (day: number) =>
      bill("starter", 0, undefined, startOf(month) + (day - 1) * DAY + 5).price
    assert.strictEqual(bill("starter", 0).price, 2_900)
    assert.strictEqual(price(1), 2_900)
    assert.strictEqual(price(16), 1_450)
    assert.strictEqual(price(30), 97)
    assert.strictEqual(bill("starter", 0, undefined, startOf("2026-05")).price, 0)
  })

  it("add up to their total", () => {
    const shown = billView(
      bill("starter", 1_250_000, (each) => (each === "qr-generation" ? 1_500 : 0)),
    )
    assert.deepStrictEqual(shown.total, { currency: "USD", value: 2_900 + 2_500 + 150 })
    assert.strictEqual(shown.volume.overage_percent, "1.0")
    assert.deepStrictEqual(shown.volume.above_cap, { currency: "USD", value: 250_000 })
    assert.strictEqual(shown.period_end, "2026-05-01T00:00:00.000Z")
    const custom = billView(bill("enterprise", 5)).volume
    assert.isNull(custom.cap)
    assert.isNull(custom.overage_percent)
    assert.strictEqual(billView(bill("pro", 5)).volume.overage_percent, "0.5")
  })
})
