import { DAY, daysIn, type Timestamp, toIso } from "./Timestamp.ts"

/** How often something is paid. */
export const INTERVALS = ["daily", "weekly", "monthly", "quarterly", "yearly"] as const
/** One of {@link INTERVALS}. */
export type Interval = (typeof INTERVALS)[number]

/** The first moment of a period and the first moment after it. */
export interface Period {
  readonly start: Timestamp
  readonly end: Timestamp
}

const DAYS = { daily: 1, weekly: 7 } as const
const MONTHS = { monthly: 1, quarterly: 3, yearly: 12 } as const

/** Returns the days since 1970-01-01 in the UTC calendar. The month counts from 0. */
const dayNumber = (year: number, month: number, day: number): number => {
  // Years that begin in March have their leap day at the end.
  const y = month < 2 ? year - 1 : year
  const leaps = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400)
  const sinceMarch = Math.floor((153 * ((month + 10) % 12) + 2) / 5)
  return 365 * y + leaps + sinceMarch + day - 1 - 719_468
}

const addMonths = (anchor: Timestamp, months: number): Timestamp => {
  const [year = 0, month = 0, day = 0] = toIso(anchor).slice(0, 10).split("-").map(Number)
  const count = 12 * year + month - 1 + months
  const [y, m] = [Math.floor(count / 12), count % 12]
  const last = Math.min(day, daysIn(y, m + 1))
  return dayNumber(y, m, last) * DAY + (anchor % DAY)
}

/**
 * Returns the start of the period with that number, counted from 0 at the anchor. Days and weeks
 * have a fixed length. Months, quarters and years keep the anchor's day and time of day: the 31st
 * of January is followed by the last of February and by the 31st of March.
 */
export const startOf = (anchor: Timestamp, interval: Interval, number: number): Timestamp =>
  interval === "daily" || interval === "weekly"
    ? anchor + number * DAYS[interval] * DAY
    : addMonths(anchor, number * MONTHS[interval])

/** Returns the period with that number. It ends when the next one begins. */
export const periodOf = (anchor: Timestamp, interval: Interval, number: number): Period => ({
  start: startOf(anchor, interval, number),
  end: startOf(anchor, interval, number + 1),
})

/** An upper bound of the average length of each interval's periods, in days. */
const LONGEST = { daily: 1, weekly: 7, monthly: 31, quarterly: 92, yearly: 366 } as const

/** Returns the number of the period that contains a moment at or after the anchor. */
export const numberAt = (anchor: Timestamp, interval: Interval, at: Timestamp): number => {
  let number = Math.floor((at - anchor) / (LONGEST[interval] * DAY))
  while (startOf(anchor, interval, number + 1) <= at) number += 1
  return number
}
