import { describe, expect, it } from "@effect/vitest"
import {
  billOf,
  type Carried,
  carriedAfter,
  carriedIn,
  isBelowUnit,
} from "../../../core/invoices/TabBill.ts"
import { MAX_VALUE } from "../../../core/shared/Money.ts"
import { aTab, T0 } from "../../support/records.ts"

const { price } = aTab()
const PERIOD = { number: 4, start: T0, end: T0 + 1, human_id: null }

const make = (
  quantity: string,
  rate: string,
  carried: Carried,
  { currency = "USD", isStopped = false } = {},
) => {
  const period = { ...PERIOD, isStopped, price: { ...price, rate, currency } }
  const bill = billOf(period, { quantity, records: 1 }, carried)
  if (bill === undefined) throw new Error("There is no bill.")
  return bill
}

const usd = (value: string): Carried => [{ currency: "USD", value }]
const jpy = (value: string): Carried => [{ currency: "JPY", value }]

/** What is carried, one unit's use at a rate, the lines, and what is carried if it is paid. */
const PAID: ReadonlyArray<
  readonly [carried: Carried, rate: string, isStopped: boolean, lines: number[], after: Carried]
> = [
  [[], "2", false, [2], []],
  [[], "2.5", false, [2], []],
  [usd("2"), "2", false, [2, 2], []],
  [usd("0.4"), "2", false, [2, 0], []],
  [usd("0.6"), "2", false, [2, 1], []],
  // The exact sum of both is rounded: each by itself would be rounded to 0.
  [usd("0.4"), "0.4", false, [0, 1], []],
  [usd("0.4"), "0.4", true, [1, 0], []],
  [usd("0.6"), "0.6", true, [1, 1], []],
  [usd("0.3"), "1.5", false, [2, 0], []],
  [jpy("1.4"), "2", false, [2], jpy("1.4")],
  [[...jpy("1.4"), ...usd("3")], "2", false, [2, 3], jpy("1.4")],
  // A bill is not more than a payment.
  [usd("2"), String(MAX_VALUE), false, [MAX_VALUE], usd("2")],
]

/** What is carried, one unit's use at a rate, and what is carried if the bill is left. */
const LEFT: ReadonlyArray<readonly [carried: Carried, rate: string, after: Carried]> = [
  [[], "0.4", usd("0.4")],
  [usd("0.4"), "0", usd("0.4")],
  [[], "1", usd("1")],
  [usd("0.1"), "0.25", usd("0.35")],
  [usd("1"), "0.000001", usd("1.000001")],
  [jpy("1.4"), "0.4", [...jpy("1.4"), ...usd("0.4")]],
  [[...usd("2"), ...jpy("1.4")], "1", [...jpy("1.4"), ...usd("3")]],
]

/** What is carried, one unit's use at a rate, and whether the bill is rounded to nothing. */
const BELOW: ReadonlyArray<
  readonly [carried: Carried, rate: string, isStopped: boolean, isBelow: boolean]
> = [
  [[], "0.4", false, true],
  [[], "0.5", false, true],
  [[], "0.6", false, false],
  [[], "0.4", true, false],
  [usd("0.1"), "0.4", false, true],
  [usd("0.2"), "0.4", false, false],
  [jpy("9"), "0.4", false, true],
  // Use that costs nothing must not make anybody forget what is carried.
  [usd("0.4"), "0", false, true],
  [[], "0", false, false],
]

describe("a bill with what a tab carries", () => {
  it.each(PAID)("%j and %s (stopped: %s) has %j and leaves %j", (...[carried, rate, ...row]) => {
    const [isStopped, lines, after] = row
    const bill = make("1", rate, carried, { isStopped })
    const values = bill.terms.lines.map(({ amount }) => amount.value)
    expect(values).toStrictEqual(lines)
    expect(bill.terms.amount.value).toBe(lines.reduce((all, each) => all + each, 0))
    expect(carriedAfter(carried, bill, false)).toStrictEqual(after)
  })

  it.each(LEFT)("%j and %s is left as %j", (carried, rate, after) => {
    expect(carriedAfter(carried, make("1", rate, carried), true)).toStrictEqual(after)
  })

  it.each(BELOW)("%j and %s (stopped: %s) rounds to nothing: %s", (...[carried, rate, ...row]) => {
    const [isStopped, isBelow] = row
    expect(isBelowUnit(make("1", rate, carried, { isStopped }))).toBe(isBelow)
  })

  it("names what is carried as a line of its own", () => {
    expect(make("1", "0.4", usd("0.4")).terms.lines[1]).toStrictEqual({
      description: "carried over from earlier bills",
      quantity: "1",
      unit_amount: "0.4",
      amount: { currency: "USD", value: 1 },
    })
  })

  it("loses nothing and invents nothing, in whatever currencies the bills are", () => {
    let carried: Carried = []
    const billed = { USD: 0, JPY: 0 }
    for (let n = 0; n < 1_000; n++) {
      const currency = n % 3 === 0 ? "JPY" : "USD"
      const bill = make("1", "0.4", carried, { currency })
      // What is worth three units can be paid.
      const isLeft = bill.terms.amount.value < 3
      carried = carriedAfter(carried, bill, isLeft)
      if (!isLeft) billed[currency] += bill.terms.amount.value
    }
    // Seven uses come to 2.8, which is rounded to 3 once.
    expect(billed).toStrictEqual({ USD: 3 * 95, JPY: 3 * 47 })
    expect(carriedIn(carried, "USD")).toBe("0.4")
    expect(carriedIn(carried, "JPY")).toBe("2")
  })
})
