import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { StatementLine } from "../../../core/ports/Channels.ts"
import { type BookedLine, findingsOf } from "../../../core/reports/Reconciliation.ts"
import { DAY, utcDay } from "../../../core/shared/Timestamp.ts"
import { id, T0 } from "../../support/records.ts"

const booked = (said: Partial<BookedLine> = {}): BookedLine => ({
  kind: "payment",
  payment_intent: id("pi", 1),
  account_id: id("acct", 1),
  number: null,
  amount: { currency: "USD", value: 699 },
  status: "settled",
  at: T0,
  since: T0,
  ...said,
})

const line = (said: Partial<StatementLine> = {}): StatementLine => ({
  kind: "payment",
  out_trade_no: id("pi", 1),
  trade_no: "trade-1",
  number: "creq_1",
  amount: { currency: "USD", value: 699 },
  status: "settled",
  at: T0,
  ...said,
})

const TODAY = utcDay(T0)

const compared = (ours: ReadonlyArray<BookedLine>, theirs: ReadonlyArray<StatementLine>) =>
  findingsOf(ours, new Map([[TODAY, theirs]]))

const kinds = (ours: ReadonlyArray<BookedLine>, theirs: ReadonlyArray<StatementLine>) =>
  compared(ours, theirs).map(({ kind }) => kind)

const refund = { kind: "refund", number: "creq_2" } as const

describe("what two books do not agree in", () => {
  const table: ReadonlyArray<
    readonly [
      name: string,
      ours: ReadonlyArray<BookedLine>,
      theirs: ReadonlyArray<StatementLine>,
      found: ReadonlyArray<string>,
    ]
  > = [
    ["a line that the channel lacks", [booked()], [], ["missing_at_channel"]],
    ["a line that we lack", [], [line()], ["missing_at_service"]],
    [
      "another value",
      [booked()],
      [line({ amount: { currency: "USD", value: 700 } })],
      ["amount_mismatch"],
    ],
    [
      "another currency",
      [booked()],
      [line({ amount: { currency: "EUR", value: 699 } })],
      ["amount_mismatch"],
    ],
    ["another end", [booked()], [line({ status: "failed" })], ["status_mismatch"]],
    [
      "another amount and end, as one",
      [booked()],
      [line({ amount: { currency: "USD", value: 1 }, status: "failed" })],
      ["amount_mismatch"],
    ],
    [
      "captured for long and settled there",
      [booked({ status: "pending" })],
      [line()],
      ["status_mismatch"],
    ],
    [
      "a refund under another number",
      [booked(refund)],
      [line({ ...refund, number: "creq_3" })],
      ["missing_at_channel", "missing_at_service"],
    ],
    [
      "a payment taken twice",
      [booked()],
      [line(), line({ trade_no: "2" })],
      ["missing_at_service"],
    ],
    [
      "the right one of two payments",
      [booked({ amount: { currency: "USD", value: 5 } }), booked()],
      [line()],
      ["missing_at_channel"],
    ],
    ["nothing in what is the same", [booked(), booked(refund)], [line(refund), line()], []],
    ["nothing in what is moving", [booked({ status: "moving" })], [line()], []],
    ["nothing in an end that is not told", [booked({ status: null })], [line()], []],
    ["nothing in no books", [], [], []],
  ]
  test.each(table)("%s", (_name, ours, theirs, found) => {
    expect(kinds(ours, theirs)).toStrictEqual(found)
  })
})

const of = (value: number) => ({ amount: { currency: "USD", value } })

describe("a row and the lines of several days", () => {
  const YESTERDAY = utcDay(T0 - 1)
  const TOMORROW = utcDay(T0 + DAY)
  const LATER = utcDay(T0 + 2 * DAY)
  type Days = ReadonlyArray<readonly [day: string, lines: ReadonlyArray<StatementLine>]>
  const table: ReadonlyArray<
    readonly [
      name: string,
      ours: ReadonlyArray<BookedLine>,
      theirs: Days,
      found: ReadonlyArray<readonly [day: string, kind: string]>,
    ]
  > = [
    ["are a pair a day apart", [booked()], [[TOMORROW, [line()]]], []],
    [
      "are no pair two days apart",
      [booked()],
      [[LATER, [line()]]],
      [
        [TODAY, "missing_at_channel"],
        [LATER, "missing_at_service"],
      ],
    ],
    [
      "are a pair of the same day first",
      [booked()],
      [
        [TOMORROW, [line()]],
        [TODAY, [line()]],
        [YESTERDAY, [line()]],
      ],
      [
        [YESTERDAY, "missing_at_service"],
        [TOMORROW, "missing_at_service"],
      ],
    ],
    [
      "are a pair of the same amount first",
      [booked()],
      [
        [TODAY, [line(of(5))]],
        [TOMORROW, [line()]],
      ],
      [[TODAY, "missing_at_service"]],
    ],
    [
      "leave a later row for a later line",
      [booked({ at: T0 + DAY }), booked()],
      [
        [TODAY, []],
        [TOMORROW, [line(of(1))]],
        [LATER, [line(of(2))]],
      ],
      [
        [TOMORROW, "amount_mismatch"],
        [TODAY, "missing_at_channel"],
        [LATER, "missing_at_service"],
      ],
    ],
  ]
  test.each(table)("%s", (_name, ours, theirs, found) => {
    const days = findingsOf(ours, new Map(theirs)).map(({ day, kind }) => [day, kind])
    expect(days).toStrictEqual(found)
  })
})

const books = fc
  .uniqueArray(
    fc.record({
      n: fc.integer({ min: 1, max: 60 }),
      number: fc.option(fc.integer({ min: 1, max: 4 })),
      value: fc.integer({ min: 1, max: 1_000_000 }),
      status: fc.constantFrom("pending", "settled", "failed"),
    }),
    { minLength: 1, maxLength: 40, selector: ({ n, number }) => `${n} ${number}` },
  )
  .map((all) =>
    all.map(({ n, number, value, status }) => {
      const kind = number === null ? "payment" : "refund"
      const amount = { currency: "USD", value }
      const request = number === null ? null : `creq_${number}`
      return {
        ours: booked({ kind, payment_intent: id("pi", n), number: request, amount, status }),
        theirs: line({ kind, out_trade_no: id("pi", n), number: request, amount, status }),
      }
    }),
  )

describe("identical books", () => {
  test("agree in any order, and any one change is one finding of its kind", () => {
    fc.assert(
      fc.property(books, fc.nat(), fc.func(fc.nat()), (pairs, at, order) => {
        const ours = pairs.map((pair) => pair.ours)
        const theirs = pairs.map((pair) => pair.theirs)
        const shuffled = theirs.toSorted((a, b) => order(a) - order(b))
        expect(kinds(ours, shuffled)).toStrictEqual([])
        const index = at % pairs.length
        const changed = theirs[index]
        if (changed === undefined) throw new Error("there is a line")
        const status = changed.status === "settled" ? "failed" : "settled"
        const amount = { ...changed.amount, value: changed.amount.value + 1 }
        const without = theirs.toSpliced(index, 1)
        expect(kinds(ours, without)).toStrictEqual(["missing_at_channel"])
        expect(kinds(ours.toSpliced(index, 1), theirs)).toStrictEqual(["missing_at_service"])
        expect(kinds(ours, [...without, { ...changed, amount }])).toStrictEqual(["amount_mismatch"])
        expect(kinds(ours, [...without, { ...changed, status }])).toStrictEqual(["status_mismatch"])
        const found = compared(ours, without)
        expect(found[0]).toMatchObject({ booked: ours[index] })
      }),
    )
  })
})
