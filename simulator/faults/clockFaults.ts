import { HOUR, MINUTE, type Timestamp } from "../../core/shared/Timestamp.ts"
import type { FaultInfo } from "./Fault.ts"

/**
 * What is wrong with the clocks of processes. Rare, since what is judged by the time is judged more
 * leniently where clocks are wrong: by `clockTolerance`.
 */
export const clockFaults = {
  clock_skew_ms: {
    about: "How far the clock of a process may be from the time, ahead or behind",
    worst: 5 * MINUTE,
    unit: "milliseconds",
    counted_as: "clock_skewed",
    share: 1 / 4,
  },
  clock_jumped: {
    about: "The clock of a process jumps by up to an hour, either way, and back minutes later",
    worst: 1,
    share: 1 / 4,
  },
} as const satisfies { readonly [fault: string]: FaultInfo }

/** How far a clock jumps at the most. */
export const JUMP = HOUR

/** How far any process's clock may be from the time, in milliseconds: none where none is wrong. */
export const clockTolerance = (faults: {
  readonly [F in keyof typeof clockFaults]: number
}): Timestamp => faults.clock_skew_ms + (faults.clock_jumped > 0 ? JUMP : 0)
