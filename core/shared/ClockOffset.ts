import { SECOND, type Timestamp } from "./Timestamp.ts"

/** So far off, either way, a clock is warned of. */
const WARN_BEYOND = 2 * SECOND

/** Further off than this, a process does nothing that depends on the time. */
export const REFUSE_BEYOND = 30 * SECOND

/** An answer that took longer tells too little of when it was given. */
const LONGEST_ROUND_TRIP = 2 * SECOND

/**
 * One comparison with another clock: its time, and when it was asked for and heard, in milliseconds
 * of a clock that only runs forward and that nobody sets.
 */
export interface ClockSample {
  readonly asked: number
  readonly heard: number
  readonly reference: Timestamp
}

/**
 * The other clock's time at the beginning of the clock that nobody sets: the median of samples, of
 * each of which the other clock answered half of a round trip before it was heard. With it the
 * other clock's time is known at any moment, also when the time of day has jumped since. Undefined
 * where no sample was answered in time.
 */
export const originOf = (samples: ReadonlyArray<ClockSample>): number | undefined => {
  const origins = samples
    .filter(({ asked, heard }) => heard >= asked && heard - asked <= LONGEST_ROUND_TRIP)
    .map(({ asked, heard, reference }) => reference - (asked + heard) / 2)
    .toSorted((a, b) => a - b)
  return origins[Math.floor(origins.length / 2)]
}

/** How far a clock that says `now` is ahead of the other, in milliseconds; negative behind it. */
export const offsetAt = (origin: number, now: Timestamp, monotonic: number): number =>
  Math.round(now - origin - monotonic)

/** What a clock is good for: everything, everything with a warning, or nothing. */
export type ClockState = "right" | "off" | "wrong"

/** The state of a clock that is so far ahead or behind, in milliseconds. */
export const stateOf = (offset: number): ClockState => {
  const distance = Math.abs(offset)
  return distance <= WARN_BEYOND ? "right" : distance <= REFUSE_BEYOND ? "off" : "wrong"
}

/** How far a clock is off, for people: `16 min 2 s ahead of the database's`. */
export const describeOffset = (offset: number): string => {
  const seconds = Math.round(Math.abs(offset) / SECOND)
  const minutes = Math.floor(seconds / 60)
  const size = minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`
  return `${size} ${offset < 0 ? "behind" : "ahead of"} the database's`
}
