import { describe, expect, it } from "vitest"
import { installId } from "../../../core/installs/consent.ts"
import {
  type CapPeriod,
  periodStart,
  raisesCap,
  type SpendCap,
} from "../../../core/installs/SpendCap.ts"
import { hash } from "../../support/records.ts"

const cap = (value: number, period: CapPeriod, currency = "USD"): SpendCap => ({
  amount: { currency, value },
  period,
})

describe("what raises a spend cap", () => {
  it.each<[string, SpendCap | null, SpendCap | null, boolean]>([
    ["none to some", null, cap(1, "daily"), false],
    ["none to none", null, null, false],
    ["the same", cap(10, "weekly"), cap(10, "weekly"), false],
    ["less", cap(10, "weekly"), cap(9, "weekly"), false],
    ["as much a month as a day", cap(10, "daily"), cap(10, "monthly"), false],
    ["as much a week as a day", cap(10, "daily"), cap(10, "weekly"), false],
    ["as much a month as a week, which can be in two", cap(10, "weekly"), cap(10, "monthly"), true],
    ["half as much a month as a week", cap(10, "weekly"), cap(5, "monthly"), false],
    ["one more than half", cap(10, "weekly"), cap(6, "monthly"), true],
    ["one more than half of an odd amount", cap(11, "weekly"), cap(6, "monthly"), true],
    ["one more", cap(10, "weekly"), cap(11, "weekly"), true],
    ["one more in a longer period", cap(10, "daily"), cap(11, "monthly"), true],
    ["less in a shorter period", cap(10, "weekly"), cap(9, "daily"), true],
    ["another currency", cap(10, "weekly"), cap(1, "weekly", "JPY"), true],
    ["no cap at all", cap(10, "weekly"), null, true],
  ])("%s", (_name, before, after, raises) => {
    expect(raisesCap(before, after)).toBe(raises)
  })
})

describe("the period of a moment", () => {
  it.each<[CapPeriod, string, string]>([
    ["daily", "2026-01-31T23:59:59.999Z", "2026-01-31"],
    ["daily", "2026-02-01T00:00:00.000Z", "2026-02-01"],
    ["weekly", "2026-02-01T23:59:59.999Z", "2026-01-26"],
    ["weekly", "2026-02-02T00:00:00.000Z", "2026-02-02"],
    ["weekly", "2027-01-01T00:00:00.000Z", "2026-12-28"],
    ["weekly", "1970-01-01T00:00:00.000Z", "1969-12-29"],
    ["monthly", "2028-02-29T12:00:00.000Z", "2028-02-01"],
    ["monthly", "2028-03-01T00:00:00.000Z", "2028-03-01"],
  ])("%s at %s begins on %s", (period, at, start) => {
    expect(periodStart(period, Date.parse(at))).toBe(start)
  })
})

describe("the id of an install", () => {
  it("is made of account, service and agent", () => {
    const asked: Array<string> = []
    const id = installId("acct_1", "agent", "service", (text) => (asked.push(text), hash(7)))
    expect(id).toMatch(/^ins_[0-9a-f-]{36}$/)
    expect(asked).toStrictEqual(["acct_1 service agent"])
  })
})
