import { fromIso, type Timestamp, utcDay } from "./Timestamp.ts"

/** A UTC month: `2026-01`. */
export type Month = string

/** Returns the month of a moment. */
export const monthOf = (at: Timestamp): Month => utcDay(at).slice(0, 7)

/** Returns whether the text names a month of the years 1970 to 9998. */
export const isMonth = (text: string): boolean =>
  /^(19[7-9]\d|[2-9]\d{3})-(0[1-9]|1[0-2])$/.test(text) && !text.startsWith("9999")

/** Returns the month after. */
export const nextMonth = (month: Month): Month => {
  const [year = 0, number = 0] = month.split("-").map(Number)
  const next = number === 12 ? [year + 1, 1] : [year, number + 1]
  return next.map((part) => String(part).padStart(2, "0")).join("-")
}

/** Returns when the month begins. */
export const startOf = (month: Month): Timestamp => {
  const at = fromIso(`${month}-01T00:00:00Z`)
  if (at === undefined) throw new RangeError(`${JSON.stringify(month)} is not a month`)
  return at
}

/** Returns when the month is over, which is when the next one begins. */
export const endOf = (month: Month): Timestamp => startOf(nextMonth(month))
