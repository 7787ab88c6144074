import { describe, expect, it } from "vitest"
import {
  checkPlanned,
  checkRevocable,
  plan,
  usesDefaults,
} from "../../../core/revocations/Policy.ts"
import type { RevokeSpec } from "../../../core/revocations/RevokeInput.ts"
import { anAccessItem, T0 } from "../../support/records.ts"
import type { RevocationPolicy } from "../../../core/registry/Pricing.ts"

const items = [
  anAccessItem({ n: 1, type: "session", item_id: "s1" }),
  anAccessItem({ n: 2, type: "session", item_id: "s2" }),
  anAccessItem({ n: 3, type: "license_key", item_id: "k1" }),
]

const half = { refund: 50, payment: 100, left: 50 }
const auto: RevocationPolicy = {
  auto_revoke_on_refund: true,
  default_targets: [{ type: "session" }, { type: "license_key", scope: "all" }],
}
const explicit: RevokeSpec = {
  auto_revoke: true,
  targets: [
    { type: "access_token", id: "t1" },
    { type: "access_token", id: "t2", scope: "read:reports" },
  ],
}
const asked = [
  { type: "access_token", id: "t1", scope: "read:detail" },
  { type: "access_token", id: "t2", scope: "read:reports" },
]
const defaults = [
  { type: "session", id: "s1", scope: "read:detail" },
  { type: "session", id: "s2", scope: "read:detail" },
  { type: "license_key", id: "k1", scope: "all" },
]
const off: RevokeSpec = { auto_revoke: false, targets: explicit.targets }
const never: RevocationPolicy = { ...auto, auto_revoke_on_refund: false }

describe("what a refund revokes", () => {
  it.each<[string, RevokeSpec | undefined, RevocationPolicy | null, ReadonlyArray<object>]>([
    ["no policy and no revoke: nothing", undefined, null, []],
    ["an empty policy: nothing", undefined, {}, []],
    ["a policy that is off: nothing", undefined, never, []],
    ["a policy without targets: nothing", undefined, { auto_revoke_on_refund: true }, []],
    ["auto_revoke false wins over the policy", { auto_revoke: false, targets: [] }, auto, []],
    ["auto_revoke false wins over its own targets", off, null, []],
    ["a policy: the payment's items of its types", undefined, auto, defaults],
    ["targets without a policy", explicit, null, asked],
    ["targets in place of the policy's", explicit, auto, asked],
    ["targets although the policy is off", explicit, never, asked],
  ])("%s", (_, spec, policy, targets) => {
    expect(plan(spec, policy, items, half).targets).toStrictEqual(targets)
    expect(usesDefaults(spec, policy)).toBe(
      spec === undefined && policy?.auto_revoke_on_refund === true,
    )
  })

  it("takes all with the last part by policy, and its own share of named targets", () => {
    const rest = { refund: 10, payment: 100, left: 0 }
    const scopes = (spec: RevokeSpec | undefined) =>
      plan(spec, auto, items, rest).targets.map(({ scope }) => scope)
    expect(scopes(undefined)).toStrictEqual(["all", "all", "all"])
    expect(scopes(explicit)).toStrictEqual(["read:summary", "read:reports"])
    const own: RevocationPolicy = {
      ...auto,
      default_targets: [{ type: "session", scope: "read:detail" }],
    }
    const named = plan(undefined, own, items, rest).targets.map(({ scope }) => scope)
    expect(named).toStrictEqual(["read:detail", "read:detail"])
  })

  it("leaves out default targets of which that scope is gone, and doubles", () => {
    const gone = anAccessItem({
      type: "session",
      item_id: "gone",
      revoked: [{ scope: "read:full", revoked_at: T0 }],
    })
    const policy = { ...auto, default_targets: [{ type: "session" }, { type: "session" }] }
    const { targets } = plan(undefined, policy, [gone, ...items], half)
    expect(targets.map(({ id }) => id)).toStrictEqual(["s1", "s2"])
    const all = plan(undefined, policy, [gone], { refund: 100, payment: 100, left: 0 })
    expect(all.targets).toStrictEqual([{ type: "session", id: "gone", scope: "all" }])
  })

  it.each<[string, ReadonlyArray<string | undefined>, ReadonlyArray<string>]>([
    ["the same scope twice", ["read:reports", "read:reports"], ["read:reports"]],
    ["one that a later one holds", ["read:summary", "read:full"], ["read:full"]],
    ["one that the refund's share holds", ["read:summary", undefined], ["read:detail"]],
    ["all of them under all", ["read:reports", "all", "read:full"], ["all"]],
    [
      "none where none holds another",
      ["read:reports", "write:notes"],
      ["read:reports", "write:notes"],
    ],
  ])("leaves out a default target for another of its type: %s", (_, scopes, left) => {
    const default_targets = scopes.map((scope) => ({
      type: "session",
      ...(scope !== undefined && { scope }),
    }))
    const { targets } = plan(undefined, { ...auto, default_targets }, items.slice(0, 1), half)
    expect(targets.map(({ scope }) => scope)).toStrictEqual(left)
  })

  it.each([
    [50, 2, undefined],
    [51, 2, "revocation_limit_exceeded"],
    [100, 1, undefined],
    [100, 100, "revocation_limit_exceeded"],
  ])("of %i items in %i scopes: %s", (count, scopes, code) => {
    const session = (n: number) => anAccessItem({ n, type: "session", item_id: `s${n}` })
    const many = Array.from({ length: count }, (__, n) => session(n + 1))
    const default_targets = Array.from({ length: scopes }, (__, n) => ({
      type: "session",
      scope: `read:part_${n}`,
    }))
    const refusal = checkPlanned(plan(undefined, { ...auto, default_targets }, many, half))
    expect(refusal?.code).toBe(code)
  })

  it.each<[boolean | undefined, boolean | undefined, boolean]>([
    [undefined, undefined, true],
    [undefined, false, false],
    [undefined, true, true],
    [true, false, true],
    [false, true, false],
    [false, undefined, false],
  ])("tells of each target: said %s, policy %s: %s", (said, policy, expected) => {
    const spec = { ...explicit, ...(said !== undefined && { webhook_notify: said }) }
    const by = { ...auto, ...(policy !== undefined && { webhook_on_revoke: policy }) }
    expect(plan(spec, by, items, half).notify).toBe(expected)
  })

  it("is strict where the policy is", () => {
    expect(plan(explicit, { strict: true }, [], half).strict).toBe(true)
    expect(plan(explicit, null, [], half).strict).toBe(false)
  })
})

describe("what is left to revoke", () => {
  const planned = plan(explicit, null, [], half)
  const nothing = plan(undefined, null, [], half)
  it.each([
    ["a partial refund with targets, all revoked", planned, half, true, true],
    ["a partial refund with targets, not all revoked", planned, half, false, false],
    ["a partial refund without targets", nothing, half, true, false],
    ["a full refund with targets", planned, { ...half, refund: 100, left: 0 }, true, false],
  ] as const)("%s: refused %#", (_, given, share, allRevoked, refused) => {
    const code = checkRevocable(given, share, allRevoked)?.code
    expect(code).toBe(refused ? "refund_exceeds_revocable" : undefined)
  })
})
