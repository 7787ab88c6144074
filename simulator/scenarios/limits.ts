import { Schema } from "effect"
import { DAY, fromIso, type Timestamp } from "../../core/shared/Timestamp.ts"
import { line } from "../../core/shared/Text.ts"

const YEAR = 365 * DAY

/** The longest name, in characters. */
export const Name = line(200)

/** The longest wait of one person, in milliseconds. A drawn one is below 37 of its means. */
export const LONGEST_WAIT = 40 * YEAR

/** The longest time in which payments begin, in milliseconds: as a mean, and as it was drawn. */
export const LONGEST_LOAD = { mean: 10 * YEAR, drawn: 40 * YEAR } as const

/**
 * The beginning of the year 2000 and the end of the year 2999, between which worlds begin. Long
 * after the last one, years still have four digits.
 */
const FIRST: Timestamp = 946_684_800_000
const LAST: Timestamp = 32_503_679_999_999

/** When a world begins, in milliseconds since 1970. */
export const Start = Schema.Int.check(Schema.isBetween({ minimum: FIRST, maximum: LAST }))

/** Returns what is wrong with the beginning of a world; undefined if nothing is. */
export const flawOfStart = (start: string): string | undefined => {
  const at = fromIso(start)
  if (at === undefined) return `${JSON.stringify(start)} is no instant with an offset.`
  if (at >= FIRST && at <= LAST) return undefined
  return `must be in the years 2000 to 2999, not ${JSON.stringify(start)}`
}

/** Returns what is wrong with the time in which payments begin; undefined if nothing is. */
export const flawOfLoad = (
  payments: number,
  milliseconds: number,
  longest: number,
): string | undefined =>
  milliseconds <= longest
    ? undefined
    : `${payments} payments would begin within ${Math.ceil(milliseconds / YEAR)} years, and ` +
      `${longest / YEAR} are the most: take fewer payments, or let them come sooner`
