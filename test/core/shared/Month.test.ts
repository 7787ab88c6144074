import { assert, describe, it } from "@effect/vitest"
import { endOf, isMonth, monthOf, nextMonth, startOf } from "../../../core/shared/Month.ts"
import { DAY, toIso } from "../../../core/shared/Timestamp.ts"

describe("months", () => {
  it("refuses what is none", () => {
    for (const text of [
      "",
      "2026",
      "2026-1",
      "2026-00",
      "2026-13",
      "1969-12",
      "9999-12",
      "26-01",
    ]) {
      assert.isFalse(isMonth(text), text)
    }
    for (const text of ["1970-01", "2026-12", "9998-12"]) assert.isTrue(isMonth(text), text)
  })

  it("begins and ends at midnight in UTC", () => {
    const at = startOf("2028-02")
    assert.strictEqual(toIso(at), "2028-02-01T00:00:00.000Z")
    assert.strictEqual(monthOf(at), "2028-02")
    assert.strictEqual(monthOf(at - 1), "2028-01")
    assert.strictEqual(nextMonth("2026-12"), "2027-01")
    assert.strictEqual(toIso(endOf("2026-12")), "2027-01-01T00:00:00.000Z")
  })

  it("follows one another without gap or overlap, leap days among them", () => {
    let month = "1999-11"
    let days = 0
    for (let n = 0; n < 12 * 401; n++) {
      assert.strictEqual(endOf(month), startOf(nextMonth(month)))
      const length = (endOf(month) - startOf(month)) / DAY
      assert.isTrue(length >= 28 && length <= 31)
      days += length
      month = nextMonth(month)
    }
    assert.strictEqual(days * DAY, startOf(month) - startOf("1999-11"))
    assert.strictEqual((endOf("2000-02") - startOf("2000-02")) / DAY, 29)
    assert.strictEqual((endOf("2100-02") - startOf("2100-02")) / DAY, 28)
  })
})
