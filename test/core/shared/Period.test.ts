import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type Interval,
  INTERVALS,
  numberAt,
  periodOf,
  startOf,
} from "../../../core/shared/Period.ts"
import { daysIn, fromIso, toIso } from "../../../core/shared/Timestamp.ts"

const at = (text: string): number => fromIso(text) ?? Number.NaN

/** The starts of periods 0, 1, 2, … from an anchor. */
const cases: ReadonlyArray<readonly [Interval, anchor: string, ...later: ReadonlyArray<string>]> = [
  ["monthly", "2026-01-31T08:00:00Z", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"],
  ["monthly", "2028-01-31T23:59:59.999Z", "2028-02-29", "2028-03-31"],
  ["monthly", "2026-01-30T00:00:00Z", "2026-02-28", "2026-03-30"],
  ["monthly", "2026-11-15T12:00:00Z", "2026-12-15", "2027-01-15"],
  ["quarterly", "2026-11-30T01:00:00Z", "2027-02-28", "2027-05-30", "2027-08-30", "2027-11-30"],
  ["yearly", "2024-02-29T01:00:00Z", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"],
  ["yearly", "2099-12-31T00:00:00Z", "2100-12-31"],
  ["yearly", "2096-02-29T00:00:00Z", "2097-02-28", "2098-02-28", "2099-02-28", "2100-02-28"],
  ["daily", "2026-02-28T10:00:00Z", "2026-03-01", "2026-03-02"],
  ["weekly", "2026-12-28T10:00:00Z", "2027-01-04"],
]

describe("periods", () => {
  for (const [interval, anchor, ...later] of cases) {
    it(`${interval} from ${anchor} begin on ${later.join(", ")}`, () => {
      const start = at(anchor)
      const starts = later.map((_, n) => toIso(startOf(start, interval, n + 1)))
      expect(starts).toStrictEqual(later.map((day) => day + toIso(start).slice(10)))
      expect(startOf(start, interval, 0)).toBe(start)
    })
  }

  const anchors = fc.integer({ min: 0, max: at("2098-12-31T23:59:59.999Z") })
  const intervals = fc.constantFrom(...INTERVALS)
  const numbers = fc.integer({ min: 0, max: 500 })

  it("follow one another without a gap, each longer than nothing", () => {
    fc.assert(
      fc.property(anchors, intervals, numbers, (anchor, interval, n) => {
        const [one, next] = [periodOf(anchor, interval, n), periodOf(anchor, interval, n + 1)]
        expect(one.end).toBe(next.start)
        expect(one.start).toBeLessThan(one.end)
      }),
    )
  })

  it("keep the anchor's day, or the month's last, and its time of day", () => {
    fc.assert(
      fc.property(
        anchors,
        fc.constantFrom("monthly", "quarterly", "yearly"),
        numbers,
        (anchor, interval, n) => {
          const [from, start] = [toIso(anchor), toIso(startOf(anchor, interval, n))]
          const [year = 0, month = 0, day = 0] = start.slice(0, 10).split("-").map(Number)
          expect(day).toBe(Math.min(Number(from.slice(8, 10)), daysIn(year, month)))
          expect(start.slice(10)).toBe(from.slice(10))
          const months = (text: string) => 12 * Number(text.slice(0, 4)) + Number(text.slice(5, 7))
          const step = { monthly: 1, quarterly: 3, yearly: 12 }[interval]
          expect(months(start) - months(from)).toBe(n * step)
        },
      ),
    )
  })

  it("are found by any moment within them", () => {
    fc.assert(
      fc.property(
        anchors,
        intervals,
        numbers,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (anchor, interval, n, part) => {
          const { end, start } = periodOf(anchor, interval, n)
          const moment = start + Math.floor(part * (end - 1 - start))
          expect(numberAt(anchor, interval, moment)).toBe(n)
          expect(numberAt(anchor, interval, end)).toBe(n + 1)
        },
      ),
    )
  })
})
