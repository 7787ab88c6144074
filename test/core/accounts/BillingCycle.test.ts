import { assert, describe, it } from "@effect/vitest"
import {
  advanced,
  billedPlan,
  type BillingCycle,
  openCycle,
  withPlan,
} from "../../../core/accounts/BillingCycle.ts"
import { startOf } from "../../../core/shared/Month.ts"
import { DAY, MINUTE, toIso } from "../../../core/shared/Timestamp.ts"
import { anAccount } from "../../support/records.ts"

const at = (month: string, day: number) => startOf(month) + (day - 1) * DAY

const opened = (plan: "starter" | "pro", day = 10): BillingCycle =>
  openCycle(anAccount({ plan }), at("2028-02", day))

describe("billing cycles", () => {
  it("fall due a minute after the month, in leap years too", () => {
    const cycle = opened("starter")
    assert.strictEqual(cycle.month, "2028-02")
    assert.strictEqual(cycle.due_at, at("2028-02", 30) + MINUTE)
    assert.strictEqual(toIso(cycle.due_at ?? 0), "2028-03-01T00:01:00.000Z")
    assert.strictEqual(toIso(advanced(cycle).due_at ?? 0), "2028-04-01T00:01:00.000Z")
  })

  it("bill a month by the largest plan that was in force in it", () => {
    const up = withPlan(opened("starter"), "enterprise", at("2028-02", 20))
    assert.strictEqual(billedPlan(up, "2028-02"), "enterprise")
    const down = withPlan(opened("pro"), "starter", at("2028-02", 20))
    assert.strictEqual(billedPlan(down, "2028-02"), "pro")
    assert.strictEqual(billedPlan(advanced(down), "2028-03"), "starter")
    const upAndDown = withPlan(up, "starter", at("2028-02", 21))
    assert.strictEqual(billedPlan(upAndDown, "2028-02"), "enterprise")
    assert.strictEqual(billedPlan(advanced(upAndDown), "2028-03"), "starter")
  })

  it("take the first moment of a month for that month, and the one before for the last", () => {
    const first = withPlan(opened("starter"), "pro", startOf("2028-03"))
    assert.strictEqual(billedPlan(first, "2028-02"), "starter")
    assert.strictEqual(billedPlan(advanced(first), "2028-03"), "pro")
    const last = withPlan(opened("starter"), "pro", startOf("2028-03") - 1)
    assert.strictEqual(billedPlan(last, "2028-02"), "pro")
  })

  it("bill months by their own plans when they are closed long after", () => {
    let cycle = opened("starter")
    cycle = withPlan(cycle, "pro", at("2028-03", 5))
    cycle = withPlan(cycle, "enterprise", at("2028-05", 5))
    cycle = withPlan(cycle, "starter", at("2028-05", 6))
    const billed: Array<string> = []
    for (const month of ["2028-02", "2028-03", "2028-04", "2028-05", "2028-06"]) {
      assert.strictEqual(cycle.month, month)
      billed.push(billedPlan(cycle, month))
      cycle = advanced(cycle)
    }
    assert.deepStrictEqual(billed, ["starter", "pro", "pro", "enterprise", "starter"])
    assert.strictEqual(cycle.plans.length, 1)
  })
})
