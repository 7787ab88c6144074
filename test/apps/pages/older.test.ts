import { describe, expect, test } from "vitest"
import { besides, offsetIn, rowsShown } from "../../../apps/pages/console/show/older.ts"

describe("a page of a list", () => {
  test.each([
    [null, 0],
    ["", 0],
    ["100", 100],
    ["-100", 0],
    ["1e3", 0],
    ["0100", 0],
    ["99999999999", 0],
  ])("begins, by %j, at %d", (text, offset) => {
    expect(offsetIn(text)).toBe(offset)
  })

  test.each([
    [0, 0, 0, undefined],
    [7, 0, 7, "7 in all"],
    [100, 0, 101, "The latest 100 of 101"],
    [1, 100, 101, "101 to 101 of 101"],
    [0, 200, 101, "None of 101 from here"],
  ])("says of %d rows from %d of %d: %s", (shown, offset, total, said) => {
    expect(rowsShown(shown, { offset, total })).toBe(said)
  })

  test.each([
    [0, 100, undefined, undefined],
    [0, 101, undefined, 100],
    [100, 201, 0, 200],
    [50, 201, 0, 150],
    [200, 201, 100, undefined],
    [300, 201, 200, undefined],
  ])("from %d of %d is between %s and %s", (offset, total, newer, older) => {
    expect(besides({ offset, total })).toEqual({ newer, older })
  })
})
