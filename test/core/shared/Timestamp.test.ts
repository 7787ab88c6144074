import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { DAY, fromIso, toIso } from "../../../core/shared/Timestamp.ts"

/** The first and last times of a calendar. */
const FARTHEST = 8_640_000_000_000_000

describe("toIso", () => {
  test("writes every moment as the engine's own calendar does", () => {
    const near = fc.integer({ min: 0, max: 4_102_444_800_000 })
    const any = fc.integer({ min: -FARTHEST, max: FARTHEST })
    const edge = fc
      .tuple(fc.integer({ min: -800_000, max: 800_000 }), fc.integer({ min: -2, max: 2 }))
      .map(([day, off]) => day * DAY + off)
    const part = fc.double({ min: -1e12, max: 1e12, noNaN: true })
    fc.assert(
      fc.property(fc.oneof(near, any, edge, part), (at) => {
        expect(toIso(at)).toBe(new Date(at).toISOString())
        // A cached text is the same.
        expect(toIso(at)).toBe(new Date(at).toISOString())
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([FARTHEST, -FARTHEST, 0, -0, -1, 951_782_400_000])("writes %d", (at) => {
    expect(toIso(at)).toBe(new Date(at).toISOString())
  })

  test.each([FARTHEST + 1, -FARTHEST - 1, Number.NaN, Infinity])("refuses %d", (at) => {
    expect(() => toIso(at)).toThrow()
  })
})

describe("fromIso", () => {
  test.each([
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999Z",
    "9999-12-31T09:59:59.999-14:00",
    "0000-01-01T14:00:00+14:00",
  ])("reads %s, which is written with four digits of a year", (text) => {
    expect(toIso(fromIso(text) ?? Number.NaN)).toMatch(/^\d{4}-/)
  })

  test.each([
    "9999-12-31T23:59:59-14:00",
    "9999-12-31T10:00:00-14:00",
    "0000-01-01T00:00:00+14:00",
    "0000-01-01T13:59:59.999+14:00",
  ])("refuses %s, which its zone moves out of these years", (text) => {
    expect(fromIso(text)).toBeUndefined()
  })
})
