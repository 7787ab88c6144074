import { HOUR, MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import { TAIL } from "../faults/Faults.ts"
import type { Chance } from "../random/Chance.ts"
import type { Stage } from "../world/Stage.ts"
import type { BookedCharge } from "./BookedCharge.ts"

/** When a channel sends a message again that nobody has acknowledged. */
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

/** How many milliseconds a message about the charge is on its way. */
export const callbackDelay = (stage: Stage, chance: Chance, charge: BookedCharge): number => {
  const { log, now } = stage
  const faults = stage.faults()
  const left = charge.expires_at - now()
  if (left > 1 && chance.hits(faults.callback_at_expiry)) {
    log.note("callback_at_expiry")
    return left + chance.int(-1, 1)
  }
  const delay = chance.wait(faults.callback_delay_ms)
  if (delay > 5 * SECOND) log.note("callback_delayed")
  if (!chance.hits(faults.callback_reordered)) return Math.min(delay, TAIL)
  log.note("callback_reordered")
  return Math.min(delay + chance.int(SECOND, MINUTE), TAIL)
}
