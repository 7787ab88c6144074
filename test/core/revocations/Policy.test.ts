import { describe, expect, it } from "vitest"
import type { RevocationPolicy } from "../../../core/registry/ServiceManifest.ts"
import { checkRevocable, plan, usesDefaults } from "../../../core/revocations/Policy.ts"
import type { RevokeSpec } from "../../../core/revocations/RevokeInput.ts"
import { anAccessItem, T0 } from "../../support/records.ts"

const items = [
  anAccessItem({ n: 1, type: "session", item_id: "s1" }),
  anAccessItem({ n: 2, type: "session", item_id: "s2" }),
  anAccessItem({ n: 3, type: "license_key", item_id: "k1" }),
]

const half = { refund: 50, payment: 100 }
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

  it("leaves out default targets of which that scope is gone, and doubles", () => {
    const gone = anAccessItem({
      type: "session",
      item_id: "gone",
      revoked: [{ scope: "read:full", revoked_at: T0 }],
    })
    const policy = { ...auto, default_targets: [{ type: "session" }, { type: "session" }] }
    const { targets } = plan(undefined, policy, [gone, ...items], half)
    expect(targets.map(({ id }) => id)).toStrictEqual(["s1", "s2"])
    const all = plan(undefined, policy, [gone], { refund: 100, payment: 100 })
    expect(all.targets).toStrictEqual([{ type: "session", id: "gone", scope: "all" }])
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
    ["a full refund with targets", planned, { refund: 100, payment: 100 }, true, false],
  ] as const)("%s: refused %#", (_, given, share, allRevoked, refused) => {
    const code = checkRevocable(given, share, allRevoked)?.code
    expect(code).toBe(refused ? "refund_exceeds_revocable" : undefined)
  })
})
