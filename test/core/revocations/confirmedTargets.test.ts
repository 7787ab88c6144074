import { describe, expect, it } from "vitest"
import {
  confirmedTargets,
  type PlannedTarget,
  revised,
  revokesTooMany,
} from "../../../core/revocations/Policy.ts"
import type { RevocationPolicy } from "../../../core/registry/Pricing.ts"
import { anAccessItem, T0 } from "../../support/records.ts"

const sessions = (count: number, revoked: ReadonlyArray<string> = []) =>
  Array.from({ length: count }, (_, n) =>
    anAccessItem({
      n: n + 1,
      type: "session",
      item_id: `s${n + 1}`,
      revoked: revoked.map((scope) => ({ scope, revoked_at: T0 })),
    }),
  )

const policyOf = (...scopes: ReadonlyArray<string | undefined>): RevocationPolicy => ({
  auto_revoke_on_refund: true,
  default_targets: scopes.map((scope) => ({
    type: "session",
    ...(scope !== undefined && { scope }),
  })),
})

const parts = (count: number) => Array.from({ length: count }, (_, n) => `read:part_${n}`)

const textOf = (targets: ReadonlyArray<{ readonly id: string; readonly scope: string }>) =>
  targets.map(({ id, scope }) => `${id} ${scope}`)

describe("what a refund revokes by policy once it is confirmed", () => {
  it.each<[string, number, number, ReadonlyArray<string>]>([
    ["a seventh, while the rest is pending", 99, 600, ["s1 read:summary"]],
    ["a seventh that leaves nothing", 99, 0, ["s1 all"]],
    ["more than three quarters", 600, 99, ["s1 all"]],
  ])("%s", (_, refund, left, targets) => {
    const share = { refund, payment: 699, left }
    expect(textOf(confirmedTargets(policyOf(undefined), sessions(1), share))).toEqual(targets)
  })

  it("includes what was revoked in part, if nothing is left", () => {
    const [items, policy] = [sessions(1, ["read:summary"]), policyOf(undefined)]
    const share = { refund: 99, payment: 699, left: 600 }
    expect(confirmedTargets(policy, items, share)).toEqual([])
    expect(textOf(confirmedTargets(policy, items, { ...share, left: 0 }))).toEqual(["s1 all"])
  })

  it.each<[number, number, number, number, ReadonlyArray<string>]>([
    [50, 2, 0, 100, ["read:part_0", "read:part_1"]],
    [51, 2, 0, 51, ["all"]],
    [51, 2, 1, 102, ["read:part_0", "read:part_1"]],
  ])("of %i items in %i scopes, with %i left: %i targets", (count, scopes, left, most, named) => {
    const share = { refund: 99, payment: 699, left }
    const targets = confirmedTargets(policyOf(...parts(scopes)), sessions(count), share)
    expect(targets).toHaveLength(most)
    expect([...new Set(targets.map(({ scope }) => scope))]).toEqual(named)
  })

  it.each<[number, RevocationPolicy | null, boolean]>([
    [50, policyOf(...parts(2)), false],
    [51, policyOf(...parts(2)), true],
    [51, policyOf("read:summary", undefined), false],
    [51, policyOf("read:reports", undefined), true],
    [51, { ...policyOf(...parts(2)), auto_revoke_on_refund: false }, false],
    [51, null, false],
  ])("is too much of %i items %#", (count, policy, much) => {
    const items = sessions(count)
    const [last] = items.slice(-1)
    expect(last && revokesTooMany(policy, items.slice(0, -1), last)).toBe(much)
  })

  it("is no worse with an item that adds no target", () => {
    const items = sessions(60)
    const [again] = items
    expect(again && revokesTooMany(policyOf(...parts(2)), items, again)).toBe(false)
  })
})

const target = (text: string): PlannedTarget => {
  const [id = "", scope = ""] = text.split(" ")
  return { type: "session", id, scope }
}

describe("what was planned for a refund, at its confirmation", () => {
  it.each<{
    readonly name: string
    readonly planned: ReadonlyArray<string>
    readonly targets: ReadonlyArray<string>
    readonly kept: ReadonlyArray<string>
    readonly dropped?: ReadonlyArray<string>
    readonly added?: ReadonlyArray<string>
  }>([
    { name: "stays", planned: ["a all"], targets: ["a all"], kept: ["a all"] },
    { name: "is widened", planned: ["a read:full"], targets: ["a all"], kept: ["a all"] },
    { name: "is not narrowed", planned: ["a all"], targets: [], kept: ["a all"] },
    {
      name: "gets what was registered since",
      planned: ["a read:full"],
      targets: ["a read:full", "b read:full"],
      kept: ["a read:full"],
      added: ["b read:full"],
    },
    {
      name: "is one target where one covers several",
      planned: ["a read:reports", "a read:full", "b read:full"],
      targets: ["a all", "b all"],
      kept: ["a all", "b all"],
      dropped: ["a read:full"],
    },
    {
      name: "keeps each of several scopes",
      planned: ["a read:reports", "a read:full"],
      targets: ["a read:full", "a read:reports"],
      kept: ["a read:reports", "a read:full"],
    },
    {
      name: "gets another scope beside one that it does not cover",
      planned: ["a read:reports"],
      targets: ["a read:full"],
      kept: ["a read:reports"],
      added: ["a read:full"],
    },
    { name: "is all new", planned: [], targets: ["a all"], kept: [], added: ["a all"] },
  ])("$name", ({ added = [], dropped = [], kept, planned, targets }) => {
    const waiting = planned.map((text) => {
      const { id, scope, type } = target(text)
      return { id, target_id: id, target_type: type, scope }
    })
    const revision = revised(waiting, targets.map(target))
    expect(textOf(revision.kept)).toEqual(kept)
    expect(textOf(revision.dropped)).toEqual(dropped)
    expect(textOf(revision.added)).toEqual(added)
  })

  it("is nothing of another type with the same identifier", () => {
    const waiting = [{ target_type: "license_key", target_id: "a", scope: "all" } as const]
    const { added, kept } = revised(waiting, [target("a all")])
    expect([textOf(added), kept]).toEqual([["a all"], waiting])
  })
})
