import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { DAY, HOUR } from "../../../core/shared/Timestamp.ts"
import {
  billable,
  billed,
  CLOSED,
  closed,
  MOST_USE,
  PARTS,
  openTab,
  overdueStop,
  periodCounter,
  periodOfUse,
  REPORTED_FOR,
  type Tab,
  tabName,
  turned,
  weightOf,
  withoutReports,
} from "../../../core/invoices/Tab.ts"
import { billOf } from "../../../core/invoices/TabBill.ts"
import { canonical, priceOf, sumOf, usageName } from "../../../core/invoices/Usage.ts"
import { MAX_VALUE } from "../../../core/shared/Money.ts"
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

  it("of a whole period is never more than what its reports are counted as", () => {
    const micro = fc.bigInt({ min: 1n, max: 10n ** 12n })
    const text = (value: bigint) =>
      canonical(`${value / 1_000_000n}.${String(value % 1_000_000n).padStart(6, "0")}`)
    fc.assert(
      fc.property(fc.array(micro, { minLength: 1, maxLength: 20 }), micro, (parts, rate) => {
        const price = { ...aTab().price, rate: text(rate) }
        const quantities = parts.map(text)
        const weight = quantities.reduce((sum, quantity) => sum + weightOf(quantity, price), 0)
        expect(priceOf(sumOf(quantities), price.rate, "ceil", PARTS)).toBeLessThanOrEqual(weight)
      }),
    )
    expect(MOST_USE).toBe(MAX_VALUE * PARTS)
    expect(weightOf("1", { ...aTab().price, rate: "0.25" })).toBe(250)
    expect(weightOf("0.000001", { ...aTab().price, rate: "0.000001" })).toBe(1)
    expect(weightOf("9".repeat(12), { ...aTab().price, rate: "9".repeat(13) })).toBe(MOST_USE + 1)
  })
})

describe("a tab", () => {
  const tab = aTab({ carried: [] })
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
    expect(billable(late)).toMatchObject({ ...february, isStopped: false, price: tab.price })
    expect(billed(late, 0, [], march)).toMatchObject({ closing: null, due_at: T0 + 90 * DAY })
  })

  it("that is closed is billed when its time for reports is over", () => {
    const end = closed({ ...tab, human_id: "h" }, T0 + 3 * DAY)
    const period = { number: 0, start: T0, end: T0 + 3 * DAY }
    const terms = { opened_at: T0, human_id: "h", price: tab.price }
    const until = T0 + 3 * DAY + REPORTED_FOR
    expect(end).toMatchObject({ status: "closed", closing: null, due_at: until })
    expect(end.stopped).toStrictEqual([{ ...period, ...terms, reported_until: until }])
    expect(billable(end)).toBeUndefined()
    expect(overdueStop(end, until - 1)).toBeUndefined()
    expect(overdueStop(end, until)).toMatchObject(period)
    const shut = withoutReports(end, 0, until)
    expect(shut.due_at).toBe(until)
    expect(overdueStop(shut, until + DAY)).toBeUndefined()
    expect(billable(shut)).toMatchObject({ ...period, human_id: "h", isStopped: true })
    expect(billed(shut, 0, [], until)).toMatchObject({
      status: "closed",
      stopped: [],
      due_at: null,
    })
  })

  it("that is closed after its period is closed at its end", () => {
    const ends = [T0 - 1, T0 + DAY, T0 + 40 * DAY].map((now) => closed(tab, now).stopped[0]?.end)
    expect(ends).toStrictEqual([T0, T0 + DAY, T0 + 31 * DAY])
  })

  it("that is opened again in the time for reports keeps the stopped period as it was", () => {
    const price = { ...tab.price, rate: "9", billing_cycle: "daily" } as const
    const first = closed(tab, T0 + 3 * DAY)
    const again = openTab({ ...tab, human_id: "h", price }, first, T0 + 3 * DAY + HOUR)
    expect(again).toMatchObject({ status: "open", base: 1, period: 1, stopped: first.stopped })
    expect(again.due_at).toBe(T0 + 4 * DAY)
    const second = closed(again, T0 + 3 * DAY + 2 * HOUR)
    expect(second.stopped.map((each) => [each.number, each.price.rate, each.human_id])).toEqual([
      [0, "0.25", null],
      [1, "9", "h"],
    ])
    const shut = withoutReports(second, 0, T0 + 4 * DAY)
    expect(billable(shut)).toMatchObject({ number: 0, price: tab.price, human_id: null })
    const rest = billed(shut, 0, [], T0 + 4 * DAY)
    expect(rest.stopped.map(({ number }) => number)).toStrictEqual([1])
    expect(rest.due_at).toBe(T0 + 4 * DAY + 2 * HOUR)
  })

  it("is opened again with new periods", () => {
    const end = closed(tab, T0 + 3 * DAY)
    const price = { ...tab.price, rate: "9", billing_cycle: "daily" } as const
    const before = { ...billed(end, 0, [], T0 + 4 * DAY), version: 5 }
    const again = openTab({ ...tab, price }, before, T0 + 9 * DAY)
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
    const { price } = tab
    const period = { number: 4, start: T0, end: march, human_id: null, price, isStopped: false }
    expect(billOf(period, { quantity: "0", records: 0 }, [])).toBeUndefined()
    expect(
      billOf({ ...period, isStopped: true }, { quantity: "0", records: 0 }, []),
    ).toBeUndefined()
    expect(billOf(period, { quantity: "10", records: 3 }, [])?.terms).toStrictEqual({
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

  /** What a period comes to at its end, and when it ends because the tab was closed. */
  const sums: ReadonlyArray<readonly [quantity: string, rate: string, end: number, stop: number]> =
    [
      ["1", "0.49", 0, 1],
      ["0.000001", "0.000001", 0, 1],
      ["1", "0.5", 0, 1],
      ["3", "0.5", 2, 2],
      ["10", "0.25", 2, 3],
      ["8", "0.25", 2, 2],
      ["7", "0", 0, 0],
    ]
  for (const [quantity, rate, end, stop] of sums) {
    it(`bills ${quantity} at ${rate} as ${end} when the period ends, as ${stop} if closed`, () => {
      const price = { ...tab.price, rate }
      const period = { number: 4, start: T0, end: march, human_id: null, price }
      const sum = { quantity, records: 1 }
      const billed = [false, true].map(
        (isStopped) => billOf({ ...period, isStopped }, sum, [])?.terms.amount.value,
      )
      expect(billed).toStrictEqual([end, stop])
      const shown = (status: Tab["status"]) => tabView({ ...tab, price, status }, sum).amount.value
      expect([shown("open"), shown("closed")]).toStrictEqual([end, stop])
    })
  }

  const stop = T0 + 3 * DAY
  const until = stop + REPORTED_FOR
  const stopped = closed(tab, stop)
  const reopened = openTab({ ...tab, price: { ...tab.price, rate: "9" } }, stopped, stop + HOUR)
  const shut = withoutReports(stopped, 0, until)
  /** Which period bills a use at a time, when it is reported at another. */
  const uses: ReadonlyArray<
    readonly [what: string, tab: Tab, at: number, now: number, number: number | undefined]
  > = [
    ["of an open tab", tab, T0, T0, 0],
    ["before it was opened", tab, T0 - 1, T0, undefined],
    ["before the end of a closed tab", stopped, stop - 1, until - 1, 0],
    ["when that was opened", stopped, T0, stop, 0],
    ["before that was opened", stopped, T0 - 1, stop, undefined],
    ["at the end of a closed tab", stopped, stop, stop, undefined],
    ["before its end, reported too late", stopped, stop - 1, until, undefined],
    ["before its end, once it is shut", shut, stop - 1, until - 1, undefined],
    ["before its end, once it is open again", reopened, stop - 1, until - 1, 0],
    ["while it was closed", reopened, stop + HOUR - 1, stop + HOUR, undefined],
    ["after it was opened again", reopened, stop + HOUR, stop + HOUR, 1],
  ]
  for (const [what, of, at, now, number] of uses) {
    it(`bills a use ${what} ${number === undefined ? "never" : `in period ${number}`}`, () => {
      const found = periodOfUse(of, at, now)
      expect(found?.number).toBe(number)
      if (found !== undefined) expect(found.price.rate).toBe(number === 0 ? "0.25" : "9")
    })
  }

  it("shows until when use can be reported once it is closed, until it is billed", () => {
    const sum = { quantity: "1", records: 1 }
    const seen = [tab, stopped, reopened, shut].map((each) => tabView(each, sum).reports_until)
    expect(seen).toStrictEqual([undefined, "2026-01-05T00:00:00.000Z", undefined, undefined])
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
