import { DateTime, Option, Schema } from "effect"

/** Milliseconds since the Unix epoch, UTC. On the wire it is an ISO 8601 string. */
export type Timestamp = number

/** Durations in milliseconds. */
export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The most texts that are cached, because the same moment is written in many places. */
const TEXTS_KEPT = 64

/** Returns `make` with a cache of the latest keys. */
const remembered = (make: (key: number) => string): ((key: number) => string) => {
  const texts = new Map<number, string>()
  return (key) => {
    const known = texts.get(key)
    if (known !== undefined) return known
    const made = make(key)
    if (texts.size >= TEXTS_KEPT) texts.clear()
    texts.set(key, made)
    return made
  }
}

/** The last time that a calendar can express. */
const LATEST = 100_000_000 * DAY

/**
 * Returns `2026-01-31T` for a day, counted from the epoch. Throws for days outside the calendar.
 */
const dayText = remembered((day) => {
  const midnight = DateTime.formatIso(DateTime.makeUnsafe(day * DAY))
  return midnight.slice(0, midnight.indexOf("T") + 1)
})

const digits = (count: number): ReadonlyArray<string> =>
  Array.from({ length: 10 ** count }, (_, n) => String(n).padStart(count, "0"))

const TWO = digits(2)
const THREE = digits(3)

/**
 * Returns `2026-01-31T08:00:00.000Z`, the form of every timestamp that leaves the service. The
 * calendar is computed once a day, because it costs several times as much as the rest.
 */
export const toIso: (at: Timestamp) => string = remembered((at) => {
  const whole = Math.trunc(at)
  if (whole > LATEST) throw new RangeError(`The time ${at} ms is later than a date can be.`)
  const day = Math.floor(whole / DAY)
  const date = dayText(day)
  const left = whole - day * DAY
  const minutes = Math.floor(left / MINUTE)
  const [hour, minute] = [TWO[Math.floor(minutes / 60)], TWO[minutes % 60]]
  const [second, millis] = [TWO[Math.floor(left / SECOND) % 60], THREE[left % SECOND]]
  return `${date}${hour}:${minute}:${second}.${millis}Z`
})

/** Returns the UTC day of a moment: `2026-01-31`. */
export const utcDay = (at: Timestamp): string => toIso(at).slice(0, 10)

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Returns how many days a month has. The month counts from 1. */
export const daysIn = (year: number, month: number): number => {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0)
}

/** The years that the form on the wire and the database can hold, from 0 to 9999, in UTC. */
const FIRST_WRITTEN = -62_167_219_200_000
const LAST_WRITTEN = 253_402_300_799_999

/**
 * Returns the milliseconds of an ISO 8601 time with its zone; undefined for anything else, also for
 * a time that its zone moves out of the years 0 to 9999.
 */
export const fromIso = (text: string): Timestamp | undefined => {
  if (!ISO.test(text)) return undefined
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split("-").map(Number)
  // The engine's own parser reads the 30th of February as the 2nd of March.
  if (day < 1 || day > daysIn(year, month)) return undefined
  const parsed = DateTime.make(text)
  if (Option.isNone(parsed)) return undefined
  const at = DateTime.toEpochMillis(parsed.value)
  return at >= FIRST_WRITTEN && at <= LAST_WRITTEN ? at : undefined
}

/** A time as callers write it: ISO 8601 with its zone. */
export const IsoTime = Schema.String.check(
  Schema.makeFilter((text: string) =>
    fromIso(text) === undefined
      ? "must be an ISO 8601 time with its zone, such as 2030-01-31T08:00:00Z"
      : undefined,
  ),
)
