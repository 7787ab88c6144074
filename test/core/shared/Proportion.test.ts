import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { nextShare, proportion, proportionUp } from "../../../core/shared/Money.ts"

/** The shares of parts that make up the whole and come one by one. */
const sharesOf = (value: number, parts: ReadonlyArray<number>): ReadonlyArray<number> => {
  const whole = parts.reduce((sum, part) => sum + part, 0)
  let before = 0
  return parts.map((part) => {
    const share = nextShare(value, before, part, whole)
    before += part
    return share
  })
}

describe("a proportion", () => {
  it.each<[value: number, part: number, whole: number, expected: number]>([
    [5, 0, 10, 0],
    [0, 5, 10, 0],
    [5, 5, 0, 0],
    [500, 50, 10_000, 2],
    [700, 50, 10_000, 4],
    [501, 50, 10_000, 3],
    [500, 60, 10_000, 3],
    [1, 1, 2, 0],
    [3, 1, 2, 2],
    [2, 1, 3, 1],
    [Number.MAX_SAFE_INTEGER, 10_000, 10_000, Number.MAX_SAFE_INTEGER],
    [Number.MAX_SAFE_INTEGER, 1, 2, 4_503_599_627_370_496],
    [Number.MAX_SAFE_INTEGER, 50, 10_000, 45_035_996_273_705],
    [3, 3_002_399_751_580_331, Number.MAX_SAFE_INTEGER, 1],
  ])("of %i, %i of %i, is %i", (value, part, whole, expected) => {
    assert.strictEqual(proportion(value, part, whole), expected)
  })

  const count = fc.oneof(
    fc.integer({ min: 0, max: 1_000 }),
    fc.maxSafeNat(),
    fc.integer({ min: 0, max: 2 ** 27 }),
  )

  it("is the nearest whole number, the even one of two", () => {
    fc.assert(
      fc.property(count, count, count, (value, a, b) => {
        const [part, whole] = [Math.min(a, b), Math.max(a, b, 1)]
        const off =
          2n *
          (BigInt(proportion(value, part, whole)) * BigInt(whole) - BigInt(value) * BigInt(part))
        const limit = BigInt(whole)
        assert.isTrue(-limit <= off && off <= limit)
        if (off === limit || -off === limit) {
          assert.strictEqual(proportion(value, part, whole) % 2, 0)
        }
      }),
      { numRuns: 5_000 },
    )
  })

  it("rounded up is the least whole number that is not below it", () => {
    fc.assert(
      fc.property(count, count, count, (value, a, b) => {
        const [part, whole] = [Math.min(a, b), Math.max(a, b, 1)]
        const product = BigInt(value) * BigInt(part)
        const above = BigInt(proportionUp(value, part, whole)) * BigInt(whole) - product
        assert.isTrue(0n <= above && above < BigInt(whole))
      }),
      { numRuns: 5_000 },
    )
    assert.strictEqual(proportionUp(5, 5, 0), 0)
  })

  it("grows with the value and with the part", () => {
    fc.assert(
      fc.property(count, count, count, count, (value, a, b, c) => {
        const [less = 0, more = 0, whole = 0] = [a, b, c].toSorted((x, y) => x - y)
        assert.isAtMost(proportion(value, less, whole), proportion(value, more, whole))
        if (value > 0) {
          assert.isAtMost(proportion(value - 1, less, whole), proportion(value, less, whole))
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

describe("a split", () => {
  it.each<[value: number, weights: ReadonlyArray<number>, parts: ReadonlyArray<number>]>([
    [10, [], []],
    [10, [0, 0], [0, 0]],
    [10, [1], [10]],
    [10, [1, 1, 1], [3, 4, 3]],
    [1, [1, 1, 1, 1], [0, 0, 1, 0]],
    [0, [1, 2], [0, 0]],
    [5, [0, 1, 0], [0, 5, 0]],
  ])("of %i by %j is %j", (value, weights, parts) => {
    assert.deepStrictEqual(sharesOf(value, weights), parts)
  })

  const value = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.maxSafeNat())
  const weights = fc
    .array(fc.integer({ min: 0, max: 1_000_000_000_000 }), { minLength: 1, maxLength: 60 })
    .filter((parts) => parts.some((part) => part > 0))

  it("adds up to the value, and no part is negative or over its share by a unit", () => {
    fc.assert(
      fc.property(value, weights, (whole, parts) => {
        const shares = sharesOf(whole, parts)
        assert.strictEqual(
          shares.reduce((sum, share) => sum + BigInt(share), 0n),
          BigInt(whole),
        )
        const total = parts.reduce((sum, part) => sum + part, 0)
        for (const [i, share] of shares.entries()) {
          assert.isAtLeast(share, 0)
          const off = BigInt(share) * BigInt(total) - BigInt(whole) * BigInt(parts[i] ?? 0)
          assert.isTrue(off <= BigInt(total) && -off <= BigInt(total))
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
