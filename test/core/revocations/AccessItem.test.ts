import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type AccessItem,
  accessOf,
  isRevoked,
  revoke,
} from "../../../core/revocations/AccessItem.ts"
import { verdict } from "../../../core/revocations/Verdict.ts"
import { anAccessItem, id, T0 } from "../../support/records.ts"

const item = (scopes: ReadonlyArray<string>, ...revoked: ReadonlyArray<string>): AccessItem =>
  anAccessItem({ scopes, revoked: revoked.map((scope) => ({ scope, revoked_at: T0 })) })

describe("what a gate is told", () => {
  it("that nothing is active which nobody registered", () => {
    const nothing = { active: false, scopes: [], revoked_scopes: [] }
    expect(accessOf(undefined)).toStrictEqual(nothing)
    expect(accessOf(undefined, "read:summary")).toStrictEqual(nothing)
    expect(accessOf(item([], "all"))).toStrictEqual({ ...nothing, revoked_scopes: ["all"] })
  })

  it.each([
    [["all"], [], ["all"]],
    [["read:full"], ["read:summary"], ["read:full"]],
    [["read:full"], ["read:full"], []],
    [["read:detail"], ["read:full"], []],
    [["read:full", "read:reports"], ["read:full"], ["read:reports"]],
    [["all"], ["read:full", "read:reports"], ["all"]],
    [["all", "read:reports"], ["all"], []],
    [["read:reports"], ["read:full"], ["read:reports"]],
  ])("of %j without %j: %j", (scopes, revoked, left) => {
    expect(accessOf(item(scopes, ...revoked))).toStrictEqual({
      active: left.length > 0,
      scopes: left,
      revoked_scopes: revoked,
    })
  })

  it.each([
    [["all"], [], "read:reports", true],
    [["read:full"], [], "read:summary", true],
    [["read:full"], [], "all", false],
    [["read:detail"], [], "read:full", false],
    [["read:full"], ["read:summary"], "read:summary", false],
    [["read:full"], ["read:summary"], "read:detail", true],
    [["all"], ["read:reports"], "read:reports", false],
    [["all"], ["read:detail"], "read:summary", false],
    [["all"], ["all"], "read:summary", false],
  ] as const)("of %j without %j about %s: %s", (scopes, revoked, scope, active) => {
    expect(accessOf(item(scopes, ...revoked), scope).active).toBe(active)
  })
})

describe("a revocation", () => {
  const scope = fc.constantFrom("all", "read:full", "read:detail", "read:summary", "a:b", "c:d")

  it("is never undone, whatever is revoked after it", () => {
    fc.assert(
      fc.property(fc.array(scope, { minLength: 1 }), fc.array(scope), (scopes, revoked) => {
        let now = item(scopes)
        const denied: Array<string> = []
        for (const [n, next] of revoked.entries()) {
          const later = revoke(now, next, T0 + n)
          expect(later.revoked.slice(0, now.revoked.length)).toStrictEqual(now.revoked)
          now = later
          denied.push(next)
          for (const gone of denied) {
            expect(isRevoked(now, gone)).toBe(true)
            expect(accessOf(now, gone).active).toBe(false)
          }
        }
      }),
    )
  })

  it.each([
    ["registered", { item: item(["all"]), others: false }, false, undefined],
    ["registered, strictly", { item: item(["all"]), others: false }, true, undefined],
    ["registered here and elsewhere", { item: item(["all"]), others: true }, false, undefined],
    ["not registered", { item: undefined, others: false }, false, undefined],
    [
      "not registered, strictly",
      { item: undefined, others: false },
      true,
      "revocation_target_not_found",
    ],
    ["another seller's", { item: undefined, others: true }, false, "permission_error"],
    ["another seller's, strictly", { item: undefined, others: true }, true, "permission_error"],
    [
      "revoked in this scope",
      { item: item(["all"], "read:full"), others: false },
      false,
      "revocation_target_not_found",
    ],
    [
      "revoked in a wider scope",
      { item: item(["all"], "all"), others: false },
      false,
      "revocation_target_not_found",
    ],
    [
      "revoked in a narrower scope",
      { item: item(["all"], "read:summary"), others: false },
      false,
      undefined,
    ],
    [
      "another payment's by now, by policy",
      { item: { ...item(["all"]), payment_intent: id("pi", 2) }, others: false, isNamed: false },
      false,
      "revocation_target_not_found",
    ],
    [
      "another payment's by now, by request",
      { item: { ...item(["all"]), payment_intent: id("pi", 2) }, others: false },
      false,
      undefined,
    ],
  ] as const)("of what is %s", (_, known, strict, code) => {
    const target = { isNamed: true, ...known }
    expect(verdict({ payment_intent: id("pi", 1), scope: "read:full", strict }, target)?.code).toBe(
      code,
    )
  })
})
