import { describe, expect, it } from "vitest"
import { PLANS } from "../../../core/accounts/Account.ts"
import { HELD, hold, HOLDINGS, isFull, letGo, tooMany } from "../../../core/accounts/Holding.ts"
import { statusOf } from "../../../core/shared/Failure.ts"
import { id } from "../../support/records.ts"

const account = { id: id("acct", 1), plan: "starter" } as const

describe("what an account of a plan can have", () => {
  it.each(HELD)("is no less of %s in a larger plan", (held) => {
    const limits = PLANS.map((plan) => HOLDINGS[plan][held])
    expect(limits).toStrictEqual(limits.toSorted((a, b) => a - b))
    expect(limits[0]).toBeGreaterThanOrEqual(10)
  })

  it.each([
    ["starter", 100, 20, 1_000, 1_000, 25, 10, 50],
    ["pro", 1_000, 100, 10_000, 10_000, 50, 20, 100],
    ["enterprise", 10_000, 1_000, 1_000_000, 1_000_000, 50, 20, 200],
  ] as const)("is this much in the plan %s", (plan, ...limits) => {
    expect(HELD.map((held) => HOLDINGS[plan][held])).toStrictEqual(limits)
  })

  it.each(HELD)("is refused beyond that, with what it is about: %s", (held) => {
    const refused = tooMany(account, held)
    const limit = HOLDINGS.starter[held]
    expect(refused.code).toBe("PLAN_LIMIT_EXCEEDED")
    expect(statusOf(refused.code)).toBe(403)
    expect(refused.details).toStrictEqual({ plan: "starter", resource: held, limit })
    expect(refused.message).toContain(`can have ${limit} `)
    expect(refused.message).toContain("A larger plan has room for more.")
    expect(tooMany({ plan: "enterprise" }, held).message).not.toContain("larger plan")
  })

  it.each(HELD)("takes and gives back room of a counter of its own: %s", (held) => {
    const taken = hold(account, held)
    expect(taken).toMatchObject({ add: 1, limit: HOLDINGS.starter[held] })
    const given = letGo(account.id, held)
    expect([given.counter, given.add]).toStrictEqual([taken.counter, -1])
    const reached = { type: "limit_reached", value: 1, counter: taken.counter } as const
    expect(isFull(account.id, held)(reached)).toBe(true)
    expect(isFull(id("acct", 2), held)(reached)).toBe(false)
    expect(isFull(account.id, held)({ type: "reply_taken" })).toBe(false)
    const counters = HELD.map((each) => hold(account, each).counter)
    expect(new Set(counters).size).toBe(HELD.length)
  })
})
