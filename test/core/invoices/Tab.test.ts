import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { MAX_VALUE } from "../../../core/shared/Money.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import {
  billed,
  billOf,
  CLOSED,
  closed,
  MOST_USE,
  openTab,
  periodCounter,
  tabName,
  turned,
  weightOf,
} from "../../../core/invoices/Tab.ts"
import { canonical, priceOf, sumOf, usageName } from "../../../core/invoices/Usage.ts"
import { aTab, T0 } from "../../support/records.ts"
import { tabView } from "../../../core/invoices/UsageView.ts"

/** `quantity × rate` in minor units, half to even. */
const prices: ReadonlyArray<readonly [quantity: string, rate: string | number, price: number]> = [
  ["0.1", "5", 0],
  ["0.3", "5", 2],
  ["0.5", 5, 2],
  ["0.7", "5", 4],
  ["1", "0.5", 0],
  ["3", "0.5", 2],
  ["5", "0.5", 2],
  ["1", "0.500001", 1],
  ["0.1", 0.2, 0],
  ["1000000", "0.000001", 1],
  ["999999999999.999999", "1", 1_000_000_000_000],
  ["7", 0, 0],
]

describe("the price of use", () => {
  for (const [quantity, rate, price] of prices) {
    it(`${quantity} at ${rate} is ${price}`, () => {
      expect(priceOf(quantity, rate)).toBe(price)
    })
  }

  it("is the same for the same decimals, however they are written", () => {
    expect(["1.50", 1.5, "0001.5", "1.500000"].map(canonical)).toStrictEqual([
      "1.5",
      "1.5",
      "1.5",
      "1.5",
    ])
    expect(["0", "0.0", "100", 1_000_000, "0.000001"].map(canonical)).toStrictEqual([
      "0",
      "0",
      "100",
      "1000000",
      "0.000001",
    ])
  })

  it("is rounded once: of the sum, not of each report", () => {
    const reports = Array.from({ length: 10 }, () => "0.1")
    expect(sumOf(reports)).toBe("1")
    expect(priceOf(sumOf(reports), "4")).toBe(4)
    expect(reports.map((quantity) => priceOf(quantity, "4"))).toStrictEqual(Array(10).fill(0))
  })

  it("of a whole period is never more than the weights of its reports", () => {
    const micro = fc.bigInt({ min: 1n, max: 10n ** 12n })
    const text = (value: bigint) =>
      canonical(`${value / 1_000_000n}.${String(value % 1_000_000n).padStart(6, "0")}`)
    fc.assert(
      fc.property(fc.array(micro, { minLength: 1, maxLength: 20 }), micro, (parts, rate) => {
        const price = { ...aTab().price, rate: text(rate) }
        const quantities = parts.map(text)
        const weight = quantities.reduce((sum, quantity) => sum + weightOf(quantity, price), 0)
        expect(priceOf(sumOf(quantities), price.rate)).toBeLessThanOrEqual(weight)
      }),
    )
    expect(MOST_USE).toBe(MAX_VALUE)
  })
})

describe("a tab", () => {
  const tab = aTab()
  const march = T0 + 59 * DAY

  it("begins its first period when it is opened", () => {
    const opened = openTab(tab, undefined, T0)
    expect(opened).toStrictEqual(tab)
  })

  it("turns to the period of now, bills the last one at once and is due at its end", () => {
    const february = { number: 0, start: T0, end: T0 + 31 * DAY }
    expect(turned(tab, T0 + 31 * DAY)).toMatchObject({
      period: 1,
      period_start: T0 + 31 * DAY,
      period_end: march,
      closing: february,
      due_at: T0 + 31 * DAY,
    })
    const late = turned(tab, march)
    expect(late).toMatchObject({ period: 2, period_start: march, closing: february })
    expect(billed(late)).toMatchObject({ closing: null, due_at: T0 + 90 * DAY })
  })

  it("that is closed bills what was used so far, and is opened again with new periods", () => {
    const end = closed(tab, T0 + 3 * DAY)
    expect(end).toMatchObject({
      status: "closed",
      closing: { number: 0, start: T0, end: T0 + 3 * DAY },
      due_at: T0 + 3 * DAY,
    })
    expect(billed(end).due_at).toBeNull()
    const price = { ...tab.price, rate: "9", billing_cycle: "daily" } as const
    const again = openTab({ ...tab, price }, billed({ ...end, version: 5 }), T0 + 9 * DAY)
    expect(again).toMatchObject({
      version: 5,
      status: "open",
      base: 1,
      period: 1,
      period_start: T0 + 9 * DAY,
      period_end: T0 + 10 * DAY,
      created_at: T0,
      due_at: T0 + 10 * DAY,
    })
    expect(turned(again, T0 + 12 * DAY)).toMatchObject({ period: 4 })
  })

  it("bills a period with one line, and one without use not at all", () => {
    const period = { number: 4, start: T0, end: march }
    expect(billOf(tab, period, { quantity: "0", records: 0 })).toBeUndefined()
    expect(billOf(tab, period, { quantity: "10", records: 3 })).toStrictEqual({
      lines: [
        {
          description: "request",
          quantity: "10",
          unit_amount: "0.25",
          amount: { currency: "USD", value: 2 },
        },
      ],
      amount: { currency: "USD", value: 2 },
      period: 4,
      period_start: T0,
      period_end: march,
    })
  })

  it("has a counter for each period, and leaves no room in one that is closed", () => {
    expect(periodCounter(tab, 3)).not.toBe(periodCounter(tab, 4))
    expect(CLOSED).toBeGreaterThan(MOST_USE)
    expect(2 * CLOSED + MOST_USE).toBeLessThan(Number.MAX_SAFE_INTEGER)
  })

  it("is found by its service, account and agent, and use by its service and key", () => {
    const named = (service_id: string, account_id: string, agent_id: string) =>
      tabName({ service_id, account_id, agent_id })
    const tabs = [named("s", "x", "a"), named("s", "x", "b"), named("s", "y", "a")]
    const names = [...tabs, usageName("s", "a"), usageName("t", "a")]
    expect(new Set(names).size).toBe(5)
  })

  it("shows what was used so far", () => {
    expect(tabView(tab, { quantity: "10", records: 2 })).toStrictEqual({
      id: tab.id,
      service_id: tab.service_id,
      agent_id: "agent-2",
      status: "open",
      unit: "request",
      rate: "0.25",
      currency: "USD",
      billing_cycle: "monthly",
      quantity: "10",
      amount: { currency: "USD", value: 2 },
      period_start: "2026-01-01T00:00:00.000Z",
      period_end: "2026-02-01T00:00:00.000Z",
      created_at: "2026-01-01T00:00:00.000Z",
    })
  })
})
