import { DAY, HOUR, MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import type { Place } from "./Hooks.ts"
import type { Service } from "./Service.ts"
import { flaw, want } from "./verdicts.ts"

/** The two schedules. The specification does not say which kind of receiver has which. */
const LONG = [10 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR, DAY, 3 * DAY]
const SHORT = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR]

/** How late an attempt may be, and how close to its time none may have come. */
const LATE = 2 * SECOND
const EARLY = SECOND

/** Formats a number of times in words. */
export const times = (count: number): string => `${count} ${count === 1 ? "attempt" : "attempts"}`

/** A receiver, and the time of its last attempt: between two moments. */
interface Attempted {
  readonly place: Place
  readonly from: number
  readonly to: number
}

const ADVICE = "Count each wait from the end of the attempt before it."

/** Expects the next attempt after that wait, and not before; undefined if it does not come. */
export const nextAfter = async (
  service: Service,
  { from, place, to }: Attempted,
  wait: number,
): Promise<Attempted | undefined> => {
  const made = place.received().length
  await service.moveTo(from + wait - EARLY)
  const before = service.now()
  const early = (await place.still()).length - made
  want(early === 0, `no attempt before ${wait / SECOND} s`, times(early), ADVICE)
  await service.moveTo(to + wait + LATE)
  const came = (await place.until(made + 1)).length - made
  want(came <= 1, "one attempt", times(came), ADVICE)
  return came === 1 ? { place, from: Math.min(before, from + wait), to: service.now() } : undefined
}

/** Returns the second attempt, and the remaining waits of its schedule. */
export const secondOf = async (service: Service, first: Attempted) => {
  const [long, short] = [LONG[0] ?? 0, SHORT[0] ?? 0]
  const soon = await nextAfter(service, first, long)
  if (soon !== undefined) return { last: soon, waits: LONG.slice(1) }
  const later = await nextAfter(service, first, short)
  const wanted = "a second attempt 10 s or 60 s after the first"
  return {
    last: later ?? flaw(wanted, "none", "Try again on a schedule."),
    waits: SHORT.slice(1),
  }
}
