import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  ALL,
  anyCovers,
  covers,
  isScope,
  scopeOfRefund,
} from "../../../core/registry/RevocationScope.ts"
import { MAX_VALUE } from "../../../core/shared/Money.ts"

describe("what a scope is", () => {
  const refused = [
    "",
    "read",
    "ALL",
    "All",
    "read:",
    ":read",
    "read::full",
    "Read:full",
    "read:Full",
    "read full",
    "read:full ",
    "read:\u202efull",
    "read:\u0000",
    `read:${"x".repeat(60)}`,
    "read:-",
  ]
  it.each(refused)("%j is none", (text) => {
    expect(isScope(text)).toBe(false)
  })
  it.each([
    ALL,
    "read:summary",
    "read:reports",
    "write:a.b-c_d",
    "a:b:c",
    `read:${"x".repeat(59)}`,
  ])("%j is one", (text) => {
    expect(isScope(text)).toBe(true)
  })
})

describe("which scope holds which", () => {
  const nested = ["read:summary", "read:detail", "read:full", ALL]
  const pairs = nested.flatMap((wider, i) =>
    nested.map((scope, k) => [wider, scope, k <= i] as const),
  )
  it.each([
    ...pairs,
    [ALL, "read:reports", true],
    ["read:reports", "read:reports", true],
    ["read:full", "read:reports", false],
    ["read:reports", "read:summary", false],
    ["read:reports", "read:exports", false],
    ["read:reports", ALL, false],
  ] as const)("%s holds %s: %s", (wider, scope, expected) => {
    expect(covers(wider, scope)).toBe(expected)
  })
  it("nothing holds anything when there is none", () => {
    expect(anyCovers([], "read:summary")).toBe(false)
  })
})

describe("what a refund's share maps to", () => {
  it.each([
    [1, 699, "read:summary"],
    [174, 699, "read:summary"],
    [175, 699, "read:detail"],
    [349, 699, "read:detail"],
    [350, 699, "read:full"],
    [524, 699, "read:full"],
    [525, 699, ALL],
    [699, 699, ALL],
    [25, 100, "read:summary"],
    [26, 100, "read:detail"],
    [50, 100, "read:detail"],
    [51, 100, "read:full"],
    [75, 100, "read:full"],
    [76, 100, ALL],
    [1, 1, ALL],
    [1, 2, "read:detail"],
    [2, 3, "read:full"],
    [MAX_VALUE / 4, MAX_VALUE, "read:summary"],
    [MAX_VALUE / 4 + 1, MAX_VALUE, "read:detail"],
    [(MAX_VALUE * 3) / 4, MAX_VALUE, "read:full"],
    [(MAX_VALUE * 3) / 4 + 1, MAX_VALUE, ALL],
  ])("%d of %d: %s", (refund, payment, scope) => {
    expect(scopeOfRefund(refund, payment)).toBe(scope)
  })

  it("is the exact fraction, for every amount", () => {
    const amounts = fc.integer({ min: 1, max: MAX_VALUE }).chain((payment) =>
      fc.tuple(
        fc.oneof(
          fc.integer({ min: 1, max: payment }),
          fc
            .tuple(fc.constantFrom(1, 2, 3, 4), fc.integer({ min: -1, max: 1 }))
            .map(([quarters, off]) =>
              Math.min(payment, Math.max(1, Math.floor((payment * quarters) / 4) + off)),
            ),
        ),
        fc.constant(payment),
      ),
    )
    fc.assert(
      fc.property(amounts, ([refund, payment]) => {
        const exact = 4n * BigInt(refund)
        const steps = ["read:summary", "read:detail", "read:full"]
        const expected = steps.find((_, n) => exact <= BigInt(n + 1) * BigInt(payment)) ?? ALL
        expect(scopeOfRefund(refund, payment)).toBe(expected)
      }),
    )
  })

  it("never shrinks as the refund grows", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MAX_VALUE }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (payment, a, b) => {
          const [less, more] = [a, b]
            .map((share) => Math.max(1, Math.floor(share * payment)))
            .toSorted((x, y) => x - y) as [number, number]
          expect(covers(scopeOfRefund(more, payment), scopeOfRefund(less, payment))).toBe(true)
        },
      ),
    )
  })
})
