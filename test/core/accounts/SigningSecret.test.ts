import { describe, expect, test } from "vitest"
import { SECOND } from "../../../core/shared/Timestamp.ts"
import {
  GRACE,
  inForce,
  MOST_IN_GRACE,
  rotate,
  type SigningSecret,
} from "../../../core/accounts/SigningSecret.ts"
import { T0 } from "../../support/records.ts"

const first: SigningSecret = { secret: "s0", previous_secrets: [] }

const rotated = (held: SigningSecret, secret: string, grace: number, at: number) =>
  rotate(held, { secret, reason: "a test", grace_period_seconds: grace, at })

describe("secrets in force", () => {
  test("one that was never rotated signs alone", () => {
    expect(inForce(first, T0)).toStrictEqual(["s0"])
  })

  test.each([
    ["at the rotation", 0, ["s1", "s0"]],
    ["a millisecond before the grace is over", 60 * SECOND - 1, ["s1", "s0"]],
    ["when the grace is over", 60 * SECOND, ["s1"]],
    ["long after", 1_000_000 * SECOND, ["s1"]],
  ])("the replaced one signs in its grace alone: %s", (_when, later, secrets) => {
    expect(inForce(rotated(first, "s1", 60, T0), T0 + later)).toStrictEqual(secrets)
  })

  test("without a grace the new one signs alone at once", () => {
    expect(inForce(rotated(first, "s1", 0, T0), T0)).toStrictEqual(["s1"])
  })

  test("each signs for its own grace, the newest first, whatever the next rotation says", () => {
    const twice = rotated(rotated(first, "s1", 100, T0), "s2", 10, T0 + SECOND)
    expect(inForce(twice, T0 + SECOND)).toStrictEqual(["s2", "s1", "s0"])
    expect(inForce(twice, T0 + 11 * SECOND - 1)).toStrictEqual(["s2", "s1", "s0"])
    expect(inForce(twice, T0 + 11 * SECOND)).toStrictEqual(["s2", "s0"])
    expect(inForce(twice, T0 + 100 * SECOND - 1)).toStrictEqual(["s2", "s0"])
    expect(inForce(twice, T0 + 100 * SECOND)).toStrictEqual(["s2"])
  })
})

describe("a rotation", () => {
  test("keeps why and when a secret was replaced, and forgets those whose grace is over", () => {
    const once = rotated(first, "s1", 10, T0)
    expect(once.previous_secrets).toStrictEqual([
      { secret: "s0", reason: "a test", replaced_at: T0, expires_at: T0 + 10 * SECOND },
    ])
    const next = rotated(once, "s2", GRACE.default, T0 + 10 * SECOND)
    expect(next.previous_secrets.map(({ secret }) => secret)).toStrictEqual(["s1"])
  })

  test("beyond the bound, the secret that would expire first ends", () => {
    let held = first
    const graces = [500, 100, 400, 300]
    expect(graces).toHaveLength(MOST_IN_GRACE)
    for (const [n, grace] of graces.entries()) held = rotated(held, `s${n + 1}`, grace, T0)
    expect(inForce(held, T0)).toStrictEqual(["s4", "s3", "s2", "s1", "s0"])
    held = rotated(held, "s5", 200, T0)
    expect(inForce(held, T0)).toStrictEqual(["s5", "s4", "s3", "s2", "s0"])
    held = rotated(held, "s6", 1, T0)
    expect(inForce(held, T0)).toStrictEqual(["s6", "s5", "s3", "s2", "s0"])
  })

  test("one without a grace takes the place of none that still signs", () => {
    let held = first
    for (let n = 1; n <= MOST_IN_GRACE; n += 1) held = rotated(held, `s${n}`, 100, T0)
    expect(inForce(held, T0)).toStrictEqual(["s4", "s3", "s2", "s1", "s0"])
    held = rotated(held, "s5", 0, T0)
    expect(inForce(held, T0)).toStrictEqual(["s5", "s3", "s2", "s1", "s0"])
  })
})
