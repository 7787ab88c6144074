import { HOUR, type Timestamp } from "../../core/shared/Timestamp.ts"
import { OUTAGE } from "../faults/Faults.ts"
import type { Chance } from "../random/Chance.ts"

/** When a channel is out of reach. */
export interface Outage {
  readonly from: Timestamp
  readonly to: Timestamp
}

/** The outages of one channel, or of whoever else, that begin within the given time. */
export const drawOutages = (
  chance: Chance,
  perHour: number,
  { from, to }: Outage,
  { longest, shortest }: { readonly shortest: number; readonly longest: number } = OUTAGE,
): ReadonlyArray<Outage> => {
  const outages: Array<Outage> = []
  if (perHour <= 0) return outages
  let at = from + chance.wait(HOUR / perHour)
  while (at < to) {
    // Short outages are the common ones: the logarithm of their length is spread evenly.
    const length = shortest * (longest / shortest) ** chance.next()
    outages.push({ from: at, to: at + Math.round(length) })
    at += Math.round(length) + chance.wait(HOUR / perHour)
  }
  return outages
}

/** When the outage that covers a time ends; undefined when none does. */
export const outageEnd = (outages: ReadonlyArray<Outage>, at: Timestamp): Timestamp | undefined =>
  outages.find(({ from, to }) => from <= at && at < to)?.to
