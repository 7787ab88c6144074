import type { ReportView } from "./ReportView.ts"

const SUMS = [
  "payments",
  "gross",
  "refunds",
  "service_fees",
  "fx_spread",
  "channel_fees",
  "net",
] as const

const COLUMNS = [
  "type",
  "date",
  "channel",
  "currency",
  ...SUMS,
  "kind",
  "payment_intent",
  "trade_no",
  "expected",
  "actual",
] as const

type Value = string | number | boolean | undefined

type Line = { readonly type: string } & { readonly [column: string]: Value }

/** The characters with which spreadsheets begin a formula. */
const FORMULA = /^[=+\-@\t\r]/

const SPECIAL = /[",\r\n]/

/**
 * Formats a cell by RFC 4180. Numbers are unchanged. Text that a spreadsheet would run as a formula
 * gets a leading apostrophe.
 */
export const cell = (value: Value): string => {
  if (value === undefined) return ""
  if (typeof value === "number") return String(value)
  const text = String(value)
  const safe = FORMULA.test(text) ? `'${text}` : text
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Formats the report as CSV: rows, totals, discrepancies and pending days, by `type`. */
export const toCsv = (report: ReportView): string => {
  const lines: ReadonlyArray<Line> = [
    ...report.rows.map((row) => ({ type: "row", ...row })),
    ...report.totals.map((sums) => ({ type: "total", ...sums })),
    ...report.discrepancies.map((found) => ({ type: "discrepancy", ...found })),
    ...report.pending_days.map((date) => ({ type: "pending_day", date })),
  ]
  const records = lines.map((line) => COLUMNS.map((column) => cell(line[column])).join(","))
  return [COLUMNS.join(","), ...records, ""].join("\r\n")
}
