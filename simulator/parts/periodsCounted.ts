// Written independently of core/shared on purpose: periods are counted month by month.

import { INTERVALS, numberAt, periodOf, startOf } from "../../core/shared/Period.ts"
import type { Calculated } from "../auditor/invariants/calculations.ts"
import type { Chance } from "../random/Chance.ts"
import { DAY, type Day, daysTo, drawDay, monthLength, written } from "./calendar.ts"

/** Returns a day that is so many months later, or the last one of its month. */
const monthsLater = ({ day, month, year }: Day, months: number): Day => {
  let [y, m] = [year, month]
  for (let n = 0; n < months; n += 1) [y, m] = m === 12 ? [y + 1, 1] : [y, m + 1]
  return { year: y, month: m, day: Math.min(day, monthLength(y, m)) }
}

const LENGTHS = { daily: 1, weekly: 7 } as const
const COUNTS = { monthly: 1, quarterly: 3, yearly: 12 } as const

/** Counts the periods from a day on in two ways. */
export const periods = (chance: Chance): ReadonlyArray<Calculated> => {
  const anchor = drawDay(chance)
  const clock = chance.int(0, DAY - 1)
  const interval = chance.pick(INTERVALS)
  const number = chance.int(0, 30)
  const begin = (n: number): number => {
    if (interval === "daily" || interval === "weekly") {
      return (daysTo(anchor) + n * LENGTHS[interval]) * DAY + clock
    }
    return daysTo(monthsLater(anchor, n * COUNTS[interval])) * DAY + clock
  }
  const from = begin(0)
  const [start, end] = [begin(number), begin(number + 1)]
  const what = `${interval} ${number} from ${written(anchor)}`
  const inside = chance.int(start, end - 1)
  return [
    { what, expected: start, found: startOf(from, interval, number) },
    { what: `all of ${what}`, expected: { start, end }, found: periodOf(from, interval, number) },
    ...[start, inside, end - 1].map((at) => ({
      what: `${interval} at ${at - start} of ${what}`,
      expected: number,
      found: numberAt(from, interval, at),
    })),
    { what: `after ${what}`, expected: number + 1, found: numberAt(from, interval, end) },
  ]
}
