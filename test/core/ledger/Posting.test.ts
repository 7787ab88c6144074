import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { feeDayOf } from "../../../core/ledger/FeeDay.ts"
import {
  flawOf,
  type Journal,
  type Line,
  reversed,
  toPostings,
} from "../../../core/ledger/Posting.ts"
import { isId } from "../../../core/shared/Id.ts"
import { fromIso } from "../../../core/shared/Timestamp.ts"
import { aJournal, id, T0, uuid } from "../../support/records.ts"

const journal = (lines: ReadonlyArray<Line>): Journal => ({
  kind: "captured",
  account_id: id("acct", 1),
  channel: "wallet_a",
  payment_intent: id("pi", 1),
  refund: null,
  lines,
})

const line = (amount: number, currency = "USD"): Line => ({
  ledger_account: "fx",
  currency,
  amount,
})

const counted = () => {
  let n = 0
  return () => uuid((n += 1))
}

describe("rows that are to be stored together", () => {
  const flawed: ReadonlyArray<readonly [string, ReadonlyArray<Line>, string]> = [
    ["one side alone", [line(5)], "sums to 5"],
    ["sides that differ", [line(5), line(-4)], "sums to 1"],
    ["sides in two currencies", [line(5), line(-5, "EUR")], "USD sums to 5"],
    ["a fraction", [line(0.5), line(-0.5)], "whole number"],
    ["more than is exact", [line(2 ** 53), line(-(2 ** 53))], "whole number"],
    ["nothing countable", [line(NaN)], "whole number"],
  ]
  for (const [name, lines, said] of flawed) {
    it(`are flawed by ${name}`, () => {
      expect(flawOf(toPostings([journal(lines)], counted(), T0))).toContain(said)
    })
  }

  it("are flawed by a row of nothing, and by journals that sum to zero only together", () => {
    const [debit, credit] = aJournal()
    if (debit === undefined || credit === undefined) throw new Error("a journal has two rows")
    expect(flawOf([{ ...debit, amount: 0 }])).toContain("posts 0")
    expect(flawOf([debit, { ...credit, journal: id("jrn", 2) }])).toContain("sums to")
    expect(flawOf([debit, credit])).toBeUndefined()
    expect(flawOf([])).toBeUndefined()
  })

  it("keep journals apart and leave out what is nothing", () => {
    const journals = [
      journal([line(5), line(0), line(-5)]),
      journal([line(0)]),
      journal([line(1), line(-1)]),
    ]
    const postings = toPostings(journals, counted(), T0)
    expect(postings.map(({ amount }) => amount)).toStrictEqual([5, -5, 1, -1])
    expect(new Set(postings.map((posting) => posting.journal)).size).toBe(2)
    expect(new Set(postings.map((posting) => posting.id)).size).toBe(4)
    expect(flawOf(postings)).toBeUndefined()
  })

  it("sum to zero again when they are reversed, and cancel what they reverse", () => {
    const amounts = fc.array(fc.integer({ min: -1e12, max: 1e12 }), { minLength: 1, maxLength: 9 })
    fc.assert(
      fc.property(amounts, (values) => {
        const lines = [
          ...values.map((amount) => line(amount)),
          line(-values.reduce((a, b) => a + b)),
        ]
        const both = [...lines, ...reversed(lines)].reduce((sum, { amount }) => sum + amount, 0)
        expect(both).toBe(0)
        const postings = toPostings([journal(lines), journal(reversed(lines))], counted(), T0)
        expect(flawOf(postings)).toBeUndefined()
      }),
    )
  })
})

describe("the day of a fee", () => {
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
  const dayOf = (iso: string, currency = "USD", account = 1) =>
    feeDayOf(id("acct", account), currency, fromIso(iso) ?? 0, sha256)

  const days: ReadonlyArray<readonly [at: string, day: string, due: string]> = [
    ["2026-01-31T00:00:00Z", "2026-01-31", "2026-02-01T00:01:00Z"],
    ["2026-01-31T23:59:59.999Z", "2026-01-31", "2026-02-01T00:01:00Z"],
    ["2026-02-28T12:00:00Z", "2026-02-28", "2026-03-01T00:01:00Z"],
    ["2028-02-28T12:00:00Z", "2028-02-28", "2028-02-29T00:01:00Z"],
    ["2026-12-31T23:59:59Z", "2026-12-31", "2027-01-01T00:01:00Z"],
  ]
  for (const [at, day, due] of days) {
    it(`of ${at} is ${day}, taken at ${due}`, () => {
      expect(dayOf(at)).toMatchObject({ day, due_at: fromIso(due), taken: 0, version: 1 })
    })
  }

  it("is named alike by whoever names it, and unlike any other", () => {
    const one = dayOf("2026-01-31T00:00:00Z")
    expect(isId("fday", one.id)).toBe(true)
    expect(dayOf("2026-01-31T23:00:00Z").id).toBe(one.id)
    const others = [dayOf("2026-02-01T00:00:00Z"), dayOf("2026-01-31T00:00:00Z", "EUR")]
    expect(new Set([one, ...others].map((day) => day.id)).size).toBe(3)
  })
})
