import { assert, describe, it } from "@effect/vitest"
import { PLANS } from "../../../core/accounts/Account.ts"
import { PLAN_TERMS } from "../../../core/billing/Plan.ts"
import { rateLimit, sliceOf, standingOf, windowOf } from "../../../core/billing/RateWindow.ts"
import { MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { T0 } from "../../support/records.ts"

describe("rate windows", () => {
  it("are whole minutes of the clock", () => {
    assert.strictEqual(windowOf(T0), T0)
    assert.strictEqual(windowOf(T0 + MINUTE - 1), T0)
    assert.strictEqual(windowOf(T0 + MINUTE), T0 + MINUTE)
  })

  it("allow what the plan says, and captures and refunds a fifth more", () => {
    assert.deepStrictEqual(
      PLANS.map((plan) => [
        rateLimit(PLAN_TERMS[plan], "standard"),
        rateLimit(PLAN_TERMS[plan], "reserve"),
      ]),
      [
        [100, 20],
        [1_000, 200],
        [10_000, 2_000],
      ],
    )
  })

  it("are taken in slices of which one left over is under a twentieth of the limit", () => {
    const rows: ReadonlyArray<readonly [number, number, number, number]> = [
      // limit, left, waiting, slice
      [100, 100, 1, 4],
      [100, 16, 1, 4],
      [100, 12, 1, 3],
      [100, 3, 1, 1],
      [100, 0, 1, 1],
      [100, 100, 30, 30],
      [1_000, 1_000, 1, 40],
      [1_000, 20, 1, 5],
      [10_000, 10_000, 1, 400],
      [20, 20, 1, 1],
    ]
    for (const [limit, left, waiting, slice] of rows) {
      assert.strictEqual(sliceOf(limit, left, waiting), slice)
      if (waiting === 1) assert.isBelow(slice - 1, limit / 20)
    }
  })

  it("tell in how many seconds they end, at least one", () => {
    const reset = (after: number) => standingOf(T0, T0 + after, 100, 0).reset
    assert.deepStrictEqual([0, 1, SECOND, MINUTE - 1].map(reset), [60, 60, 59, 1])
  })
})
