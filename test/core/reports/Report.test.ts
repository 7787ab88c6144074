import { describe, expect, test } from "vitest"
import type { DayTotal } from "../../../core/ledger/LedgerQuery.ts"
import { rowsOf, totalsOf } from "../../../core/reports/Report.ts"
import { cell, toCsv } from "../../../core/reports/ReportCsv.ts"

const total = (said: Partial<DayTotal>): DayTotal => ({
  day: "2026-01-01",
  channel: "wallet_a",
  currency: "EUR",
  ledger_account: "merchant_wallet",
  kind: "settled",
  amount: -900,
  count: 1,
  ...said,
})

/** A payment of 1,010 at the mid rate, of which 10 were kept, half of it refunded. */
const exchanged: ReadonlyArray<DayTotal> = [
  total({ ledger_account: "channel_clearing", kind: "captured", currency: "USD", amount: 1_100 }),
  total({ amount: -1_000 }),
  total({ ledger_account: "fx_spread", amount: -10 }),
  total({ ledger_account: "fx", amount: 1_010 }),
  total({ kind: "fees", ledger_account: "service_fees", amount: -4 }),
  total({ kind: "fees", ledger_account: "channel_fees", amount: -6 }),
  total({ kind: "fees", ledger_account: "fees_due", amount: 10 }),
  total({ kind: "refund_reserved", amount: 500 }),
  total({ kind: "refund_succeeded", ledger_account: "fx_spread", amount: 5 }),
  total({ kind: "fees_refunded", ledger_account: "service_fees", amount: 2 }),
  total({ kind: "fees_refunded", ledger_account: "fees_due", amount: -2 }),
  total({ kind: "fees_taken", channel: null, amount: 8 }),
  total({ kind: "fees_taken", channel: null, ledger_account: "fees_due", amount: -8 }),
]

const sums = {
  currency: "EUR",
  payments: 1,
  gross: 1_010,
  refunds: 505,
  service_fees: 2,
  fx_spread: 5,
  channel_fees: 6,
  net: 492,
}

describe("the rows of a report", () => {
  test("add up in the settlement currency, and net is what is left in the wallet", () => {
    expect(rowsOf(exchanged)).toStrictEqual([{ date: "2026-01-01", channel: "wallet_a", ...sums }])
    const wallet = exchanged.filter(({ ledger_account }) => ledger_account === "merchant_wallet")
    expect(sums.net).toBe(-wallet.reduce((sum, { amount }) => sum + amount, 0))
  })

  test("are one a date, channel and currency, and their totals one a currency", () => {
    const others = [
      total({ day: "2026-01-02" }),
      total({ channel: "wallet_b" }),
      total({ currency: "AUD", amount: -1 }),
    ]
    expect(rowsOf([...exchanged, ...others])).toHaveLength(4)
    expect(totalsOf([...exchanged, ...others])).toMatchObject([
      { currency: "AUD", payments: 1, net: 1 },
      { currency: "EUR", payments: 3, net: 492 + 1_800 },
    ])
  })

  test("leave out days on which nothing came of anything", () => {
    const back = total({ kind: "refund_failed", amount: -900 })
    expect(rowsOf([total({ kind: "refund_reserved", amount: 900 }), back])).toStrictEqual([])
    expect(rowsOf([])).toStrictEqual([])
  })

  test("follow refunds that fail, and payments that are lost after a refund", () => {
    const lost = [total({ kind: "settlement_failed", amount: -300 })]
    expect(rowsOf(lost)).toMatchObject([{ payments: 0, gross: 300, net: 300 }])
    const failed = [total({ kind: "refund_failed", amount: -300 })]
    expect(rowsOf(failed)).toMatchObject([{ gross: 0, refunds: -300, net: 300 }])
  })
})

describe("a cell of CSV", () => {
  test.each([
    [undefined, ""],
    [-5, "-5"],
    ["plain", "plain"],
    ['say "no", now', '"say ""no"", now"'],
    ["two\r\nlines", '"two\r\nlines"'],
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@sum", "'@sum"],
    ["\t=1", "'\t=1"],
    ['=HYPERLINK("a","b")', `"'=HYPERLINK(""a"",""b"")"`],
  ])("of %j is %j", (value, text) => {
    expect(cell(value)).toBe(text)
  })
})

test("a report as CSV has a line for each of its parts", () => {
  const [row] = rowsOf(exchanged)
  const csv = toCsv({
    from: "2026-01-01",
    to: "2026-01-31",
    rows: row === undefined ? [] : [row],
    totals: totalsOf(exchanged),
    discrepancies: [
      {
        date: "2026-01-01",
        kind: "amount_mismatch",
        payment_intent: "pi_1",
        channel: "wallet_a",
        trade_no: "=trade",
        expected: "1 USD",
        actual: "2 USD",
      },
    ],
    has_more_discrepancies: false,
    pending_days: ["2026-01-02"],
  })
  expect(csv.split("\r\n")).toStrictEqual([
    "type,date,channel,currency,payments,gross,refunds,service_fees,fx_spread,channel_fees,net," +
      "kind,payment_intent,trade_no,expected,actual",
    "row,2026-01-01,wallet_a,EUR,1,1010,505,2,5,6,492,,,,,",
    "total,,,EUR,1,1010,505,2,5,6,492,,,,,",
    "discrepancy,2026-01-01,wallet_a,,,,,,,,,amount_mismatch,pi_1,'=trade,1 USD,2 USD",
    "pending_day,2026-01-02,,,,,,,,,,,,,,",
    "",
  ])
})
