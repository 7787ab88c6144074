import { HOUR, MINUTE, SECOND, type Timestamp } from "../../core/shared/Timestamp.ts"
import { OUTAGE, TAIL } from "../faults/Faults.ts"
import type { Chance } from "../random/Chance.ts"
import type { Stage } from "../world/Stage.ts"
import type { BookedCharge } from "./Network.ts"

/** A time in which a channel is not available. */
export interface Outage {
  readonly from: Timestamp
  readonly to: Timestamp
}

/** Draws the outages of one channel, or of another party, that begin within the given time. */
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
    // Short outages are the most common: the logarithm of the length is uniformly distributed.
    const length = shortest * (longest / shortest) ** chance.next()
    outages.push({ from: at, to: at + Math.round(length) })
    at += Math.round(length) + chance.wait(HOUR / perHour)
  }
  return outages
}

/** Returns when the outage that covers a time ends; undefined if there is none. */
export const outageEnd = (outages: ReadonlyArray<Outage>, at: Timestamp): Timestamp | undefined =>
  outages.find(({ from, to }) => from <= at && at < to)?.to

/** The waits after which a channel sends an unacknowledged message again. */
export const AGAIN_AFTER = [
  15 * SECOND,
  15 * SECOND,
  30 * SECOND,
  3 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  6 * HOUR,
  6 * HOUR,
  6 * HOUR,
]

/** Returns how many milliseconds a message about the charge takes to arrive. */
export const callbackDelay = (stage: Stage, chance: Chance, charge: BookedCharge): number => {
  const { log, now } = stage
  const faults = stage.faults()
  const left = charge.expires_at - now()
  if (left > 1 && chance.hits(faults.callback_at_expiry)) {
    log.note("callback_at_expiry", charge.out_trade_no)
    return left + chance.int(-1, 1)
  }
  const delay = chance.wait(faults.callback_delay_ms)
  if (delay > 5 * SECOND) log.note("callback_delayed", charge.out_trade_no)
  if (!chance.hits(faults.callback_reordered)) return Math.min(delay, TAIL)
  log.note("callback_reordered", charge.out_trade_no)
  return Math.min(delay + chance.int(SECOND, MINUTE), TAIL)
}
