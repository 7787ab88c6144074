import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { chargeFor, type Operation, OPERATIONS, PRICES } from "../../../core/billing/Operation.ts"
import { type Plan, PLANS } from "../../../core/accounts/Account.ts"

const cost = (operation: Operation, plan: Plan, count: number) => {
  const charge = chargeFor(PRICES, operation, plan, count)
  return [charge.billable, charge.cost]
}

describe("what operations cost", () => {
  it("is what the price list says, and free up to the allowance", () => {
    const rows: ReadonlyArray<readonly [Operation, Plan, number, number, number]> = [
      // operation, plan, count, billable, cents
      ["scan-qr", "starter", 1_000, 0, 0],
      ["scan-qr", "starter", 1_100, 100, 50],
      ["scan-qr", "pro", 10_000, 0, 0],
      ["scan-qr", "pro", 10_200, 200, 100],
      ["scan-qr", "enterprise", 10_000_000, 0, 0],
      ["nlp-payment", "starter", 100, 0, 0],
      ["nlp-payment", "starter", 1_100, 1_000, 300],
      ["nlp-payment", "pro", 5_000, 0, 0],
      ["nlp-payment", "pro", 6_000, 1_000, 300],
      ["nlp-payment", "enterprise", 1_000_000, 0, 0],
      ["nlp-batch", "starter", 100, 100, 25],
      ["nlp-batch", "pro", 1_000, 1_000, 250],
      ["nlp-batch", "enterprise", 1_000, 0, 0],
      ["qr-generation", "starter", 1_000, 1_000, 100],
      ["qr-generation", "enterprise", 1_000, 1_000, 100],
      ["fx-quote", "starter", 500, 0, 0],
      ["fx-quote", "enterprise", 1_500, 1_000, 200],
      ["fx-route", "starter", 1_000_000, 0, 0],
      ["reconciliation-report", "starter", 51, 1, 1],
      ["webhook-replay", "pro", 30, 20, 10],
      ["sandbox-reset", "starter", 6, 1, 10],
    ]
    for (const [operation, plan, count, billable, cents] of rows) {
      assert.deepStrictEqual(
        cost(operation, plan, count),
        [billable, cents],
        `${operation} ${plan}`,
      )
    }
  })

  it("is rounded once, half to even", () => {
    assert.deepStrictEqual(cost("qr-generation", "starter", 4), [4, 0])
    assert.deepStrictEqual(cost("qr-generation", "starter", 5), [5, 0])
    assert.deepStrictEqual(cost("qr-generation", "starter", 6), [6, 1])
    assert.deepStrictEqual(cost("qr-generation", "starter", 15), [15, 2])
    assert.deepStrictEqual(cost("qr-generation", "starter", 25), [25, 2])
    assert.deepStrictEqual(cost("nlp-batch", "starter", 2), [2, 0])
    assert.deepStrictEqual(cost("nlp-batch", "starter", 6), [6, 2])
  })

  it("shows unit prices as exact decimals", () => {
    assert.deepStrictEqual(
      OPERATIONS.map((operation) => chargeFor(PRICES, operation, "starter", 0).unit_price),
      ["0.005", "0.003", "0.0025", "0.001", "0.002", "0.002", "0.01", "0.005", "0.10"],
    )
  })

  it("is within half a cent of the exact price, however many", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...OPERATIONS),
        fc.constantFrom(...PLANS),
        fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
        (operation, plan, count) => {
          const {
            billable,
            cost: cents,
            free_allowance,
          } = chargeFor(PRICES, operation, plan, count)
          assert.strictEqual(
            billable,
            free_allowance === null ? 0 : Math.max(0, count - free_allowance),
          )
          const exact = BigInt(billable) * BigInt(PRICES[operation].unit_price)
          const off = BigInt(cents) * 10_000n - exact
          // Sums beyond the exact numbers are no month's.
          if (Number.isSafeInteger(cents)) {
            assert.isAtMost(Number(off < 0n ? -off : off), 5_000)
          }
        },
      ),
    )
  })
})
