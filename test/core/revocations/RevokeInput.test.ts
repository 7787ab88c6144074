import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { checkRevoke, RevokeInput } from "../../../core/revocations/RevokeInput.ts"
import { canHave, TARGET_TYPES } from "../../../core/registry/RevocationTarget.ts"

const token = (n: number, scope?: string) => ({
  type: "access_token",
  id: `token-${n}`,
  ...(scope !== undefined && { scope }),
})

const many = (count: number) => Array.from({ length: count }, (_, n) => token(n))

const refusalOf = (input: RevokeInput) => {
  const checked = checkRevoke(input)
  return Result.isFailure(checked) ? [checked.failure.code, checked.failure.field] : "taken"
}

describe("what a refund is asked to revoke", () => {
  it.each<[string, RevokeInput, unknown]>([
    ["nothing at all", {}, ["MISSING_REQUIRED_FIELD", "revoke.targets"]],
    ["no targets", { targets: [] }, ["MISSING_REQUIRED_FIELD", "revoke.targets"]],
    ["only a notice", { webhook_notify: true }, ["MISSING_REQUIRED_FIELD", "revoke.targets"]],
    ["101 targets", { targets: many(101) }, ["revocation_limit_exceeded", "revoke.targets"]],
    [
      "101 targets, not to be revoked",
      { auto_revoke: false, targets: many(101) },
      ["revocation_limit_exceeded", "revoke.targets"],
    ],
    [
      "an unknown type",
      { targets: [token(1), { type: "password", id: "x" }] },
      ["revocation_target_invalid_type", "revoke.targets.1.type"],
    ],
    [
      "a type in capitals",
      { targets: [{ type: "Session", id: "x" }] },
      ["revocation_target_invalid_type", "revoke.targets.0.type"],
    ],
    [
      "a type that every object has",
      { targets: [{ type: "constructor", id: "x" }] },
      ["revocation_target_invalid_type", "revoke.targets.0.type"],
    ],
    [
      "no scope",
      { targets: [token(1, "")] },
      ["revocation_scope_invalid", "revoke.targets.0.scope"],
    ],
    [
      "no form of a scope",
      { targets: [token(1, "everything")] },
      ["revocation_scope_invalid", "revoke.targets.0.scope"],
    ],
    [
      "a scope that signed URLs cannot have",
      { targets: [{ type: "signed_url", id: "https://a.example/1", scope: "write:reports" }] },
      ["revocation_scope_invalid", "revoke.targets.0.scope"],
    ],
    [
      "a scope that licence keys cannot have",
      { targets: [token(1), { type: "license_key", id: "k", scope: "read:reports" }] },
      ["revocation_scope_invalid", "revoke.targets.1.scope"],
    ],
    ["one target", { targets: [token(1)] }, "taken"],
    ["100 targets", { targets: many(100) }, "taken"],
    ["no revocation", { auto_revoke: false }, "taken"],
    ["no revocation of what is named", { auto_revoke: false, targets: many(3) }, "taken"],
    ["a scope of one's own", { targets: [token(1, "read:reports")] }, "taken"],
  ])("%s: %#", (_, input, expected) => {
    expect(refusalOf(input)).toStrictEqual(expected)
  })

  it("keeps what was said and no more", () => {
    expect(checkRevoke({ targets: [token(1)], webhook_notify: false })).toStrictEqual(
      Result.succeed({ targets: [token(1)], auto_revoke: true, webhook_notify: false }),
    )
    expect(checkRevoke({ auto_revoke: false })).toStrictEqual(
      Result.succeed({ targets: [], auto_revoke: false }),
    )
  })

  it("shows no long value back", () => {
    const checked = checkRevoke({ targets: [{ type: "x".repeat(1_000), id: "1" }] })
    expect(JSON.stringify(checked).length).toBeLessThan(600)
  })

  const decode = Schema.decodeUnknownResult(RevokeInput)
  it.each([
    ["a control character", { type: "session", id: "a\u0000b" }],
    ["a line break", { type: "session", id: "a\nb" }],
    ["an override of direction", { type: "session", id: "a\u202eb" }],
    ["an invisible character", { type: "session", id: "a\u200bb" }],
    ["an empty identifier", { type: "session", id: " " }],
    ["an identifier that is too long", { type: "session", id: "x".repeat(2_049) }],
    ["no identifier", { type: "session" }],
    ["a number", { type: "session", id: 5 }],
    ["a list as its scope", { type: "session", id: "x", scope: ["all"] }],
    ["nothing", null],
  ])("has no target with %s", (_, target) => {
    expect(Result.isFailure(decode({ targets: [target] }))).toBe(true)
  })
})

describe("which scopes a type can have", () => {
  const own = [
    ["read:reports", ["access_token", "session", "signed_url"]],
    ["write:reports", ["access_token", "session"]],
    ["no scope", []],
  ] as const
  const nested = ["all", "read:full", "read:detail", "read:summary"].map(
    (scope) => [scope, TARGET_TYPES] as const,
  )
  it.each([...nested, ...own])("%s: %j", (scope, types) => {
    const able = TARGET_TYPES.filter((type) => canHave(type, scope))
    expect(able.toSorted()).toStrictEqual([...types].toSorted())
  })
})
