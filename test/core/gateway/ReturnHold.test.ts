import { describe, expect, test } from "vitest"
import { holdsReturnsOf, isReturn, parseReturnHold } from "../../../core/gateway/ReturnHold.ts"

const PI = "pi_01939b3e-7c00-7000-8000-000000000001"
const OTHER = "pi_01939b3e-7c00-7000-8000-000000000002"
const at = Date.UTC(2026, 10, 22, 21, 59, 59, 123)

describe("a hold of returns", () => {
  test.each([
    ["2026-11-22T21:59:59.123Z", { type: "created_before", at }],
    ["2026-11-22T22:59:59.123+01:00", { type: "created_before", at }],
    [PI, { type: "payments", ids: new Set([PI]) }],
    [`${PI}, ${OTHER}`, { type: "payments", ids: new Set([PI, OTHER]) }],
    ["2026-11-22", undefined],
    ["2026-11-22 21:59:59.123+00", undefined],
    [`${PI},`, undefined],
    [PI.replace("pi_", "svc_"), undefined],
    ["on", undefined],
    ["", undefined],
  ])("%j is %o", (text, hold) => {
    expect(parseReturnHold(text)).toEqual(hold)
  })

  test.each([
    ["release", null, true],
    ["refund", null, true],
    ["refund", "rfd_1", false],
    ["close", null, false],
    ["capture", null, false],
    ["debit", null, false],
  ] as const)("%s of refund %s is a return: %s", (action, refund, expected) => {
    expect(isReturn({ action, refund })).toBe(expected)
  })

  test("concerns payments created before its time, or its payments", () => {
    const before = { type: "created_before", at } as const
    expect(holdsReturnsOf(before, { id: PI, created_at: at - 1 })).toBe(true)
    expect(holdsReturnsOf(before, { id: PI, created_at: at })).toBe(false)
    const named = { type: "payments", ids: new Set([PI]) } as const
    expect(holdsReturnsOf(named, { id: PI, created_at: at })).toBe(true)
    expect(holdsReturnsOf(named, { id: OTHER, created_at: 0 })).toBe(false)
  })
})
