import { describe, expect, it } from "vitest"
import { alertCounter, budgetOf, giveBackTo, takeFrom } from "../../../core/installs/Budget.ts"
import { id, T0 } from "../../support/records.ts"

const cap = { amount: { currency: "USD", value: 1_000 }, period: "weekly" } as const
const budget = (value: number, budget_alerts: ReadonlyArray<number> = []) =>
  budgetOf({ id: id("ins", 1), budget_alerts }, cap, value, T0)

const NONE: ReadonlySet<number> = new Set()

describe("taking from a budget", () => {
  it("counts in every period, and bounds the cap's own", () => {
    const { reservations = [] } = takeFrom(budget(400), 0, NONE) ?? {}
    expect(reservations).toStrictEqual([
      {
        counter: `install_spend:${id("ins", 1)}:USD:daily:2026-01-01`,
        add: 400,
        limit: Number.MAX_SAFE_INTEGER,
      },
      { counter: `install_spend:${id("ins", 1)}:USD:weekly:2025-12-29`, add: 400, limit: 1_000 },
      {
        counter: `install_spend:${id("ins", 1)}:USD:monthly:2026-01-01`,
        add: 400,
        limit: Number.MAX_SAFE_INTEGER,
      },
    ])
  })

  it.each<[string, number, number, ReadonlyArray<number>, ReadonlyArray<number>, number | null]>([
    ["up to the cap", 600, 400, [], [], 1_000],
    ["one unit past it", 601, 400, [], [], null],
    ["short of an alert", 0, 499, [50], [], 499],
    ["onto an alert", 0, 500, [50], [50], 1_000],
    ["over an alert", 499, 2, [50, 80], [50], 799],
    ["over two alerts", 100, 800, [50, 80], [50, 80], 1_000],
    ["beyond an alert", 500, 10, [50], [], 1_000],
    ["onto the last alert", 999, 1, [100], [100], 1_000],
    ["short of an alert with a fraction", 0, 9, [1], [], 9],
  ])("%s", (_name, spent, value, percents, alerts, limit) => {
    const taken = takeFrom(budget(value, percents), spent, NONE)
    const own = budget(value).counter
    expect(taken?.alerts ?? []).toStrictEqual(alerts)
    expect(taken?.reservations.find(({ counter }) => counter === own)?.limit ?? null).toBe(limit)
  })

  it("tells an alert once a period, by a counter that goes from 0 to 1", () => {
    const spending = budget(600, [50])
    const { reservations = [] } = takeFrom(spending, 0, NONE) ?? {}
    expect(reservations.at(-1)).toStrictEqual({
      counter: alertCounter(spending, 50),
      add: 1,
      limit: 1,
    })
    expect(takeFrom(spending, 0, new Set([50]))?.alerts).toStrictEqual([])
  })

  it("gives back what it took", () => {
    const { spending } = budget(400)
    const back = giveBackTo(spending)
    expect(back.map(({ add }) => add)).toStrictEqual([-400, -400, -400])
    expect(back.map(({ counter }) => counter)).toStrictEqual(spending.counters)
  })
})
