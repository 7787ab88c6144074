import type { Effect } from "effect"
import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { FaultLog } from "../faults/FaultLog.ts"
import type { Faults } from "../faults/Faults.ts"
import type { Chance } from "../random/Chance.ts"
import type { Services } from "./Services.ts"

/** What every part of a world has in common: its time, its chance, its faults, its helpers. */
export interface Stage {
  readonly now: () => Timestamp
  /** The stream of chance of that name. */
  readonly chance: (name: string) => Chance
  /** The world's faults while they last; none once they have stopped. */
  readonly faults: () => Faults
  readonly log: FaultLog
  /** Starts something that goes on by itself, outside of whoever causes it. */
  readonly spawn: (effect: Effect.Effect<void, never, Services>) => void
  /** How many of those have not ended. */
  readonly busy: () => number
}
