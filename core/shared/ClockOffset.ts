import { SECOND, type Timestamp } from "./Timestamp.ts"

/** A clock that is further off than this, either way, is logged as a warning, in milliseconds. */
const WARN_BEYOND = 2 * SECOND

/** A process whose clock is further off does nothing that depends on the time, in milliseconds. */
export const REFUSE_BEYOND = 30 * SECOND

/** An answer that took longer does not show well enough when it was given. */
const LONGEST_ROUND_TRIP = 2 * SECOND

/**
 * One comparison with another clock: its time, and when it was asked and answered, in milliseconds
 * of a monotonic clock.
 */
export interface ClockSample {
  readonly asked: number
  readonly heard: number
  readonly reference: Timestamp
}

/**
 * Returns the other clock's time at the zero of the monotonic clock: the median of the samples.
 * Each assumes that the other clock answered in the middle of the round trip. With it the other
 * clock's time is known at any moment, even if the time of day has jumped since. Returns undefined
 * if no sample was answered in time.
 */
export const originOf = (samples: ReadonlyArray<ClockSample>): number | undefined => {
  const origins = samples
    .filter(({ asked, heard }) => heard >= asked && heard - asked <= LONGEST_ROUND_TRIP)
    .map(({ asked, heard, reference }) => reference - (asked + heard) / 2)
    .toSorted((a, b) => a - b)
  return origins[Math.floor(origins.length / 2)]
}

/**
 * Returns how far a clock that says `now` is ahead of the other, in milliseconds; negative if
 * behind.
 */
export const offsetAt = (origin: number, now: Timestamp, monotonic: number): number =>
  Math.round(now - origin - monotonic)

/** Whether a clock can be used: fully, with a warning, or not at all. */
export type ClockState = "right" | "off" | "wrong"

/** Returns the state of a clock with this offset, in milliseconds. */
export const stateOf = (offset: number): ClockState => {
  const distance = Math.abs(offset)
  return distance <= WARN_BEYOND ? "right" : distance <= REFUSE_BEYOND ? "off" : "wrong"
}

/** Returns a clock's offset as text for people: `16 min 2 s ahead of the database's`. */
export const describeOffset = (offset: number): string => {
  const seconds = Math.round(Math.abs(offset) / SECOND)
  const minutes = Math.floor(seconds / 60)
  const size = minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`
  return `${size} ${offset < 0 ? "behind" : "ahead of"} the database's`
}
