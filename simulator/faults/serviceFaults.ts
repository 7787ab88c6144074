import type { FaultInfo } from "./Fault.ts"
import { REFUSE_BEYOND } from "../../core/shared/ClockOffset.ts"
import { HOUR, MINUTE, type Timestamp } from "../../core/shared/Timestamp.ts"

/** Faults of the service's processes and of the store that they share. */
export const processFaults = {
  process_crashed: {
    about: "A process stops dead before or after it asks something of the world, step by step",
    worst: 0.006,
  },
  process_paused: {
    about: "A process stands still for 35 to 150 s, which is longer than its leases",
    worst: 0.003,
  },
  process_stopped: {
    about: "A process is told to end: it takes no more requests and ends 8 s later",
    worst: 0.002,
  },
  store_conflict: {
    about: "A commit is refused although nothing stands in its way, as after a deadlock",
    worst: 0.2,
  },
  commit_unanswered: {
    about: "The connection is lost after a commit was sent; it is stored in half of the cases",
    worst: 0.05,
  },
  store_full: { about: "A commit fails: the disk is full", worst: 0.02 },
  failovers_per_hour: {
    about: "How often in an hour of traffic the store is away for 5 to 60 s",
    worst: 12,
    unit: "per hour",
    counted_as: "store_away",
  },
} as const satisfies { readonly [fault: string]: FaultInfo }

/**
 * Faults of the processes' clocks. They are rare, since time rules are checked more leniently with
 * wrong clocks: by `clockTolerance`.
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
  clock_unwatched: {
    about: "A process does not hold its clock against the store's, and works by it however it is",
    worst: 1,
    share: 1 / 2,
  },
} as const satisfies { readonly [fault: string]: FaultInfo }

/** The largest jump of a clock. */
export const JUMP = HOUR

/**
 * Returns the largest error of a clock with which any process acts, in milliseconds; 0 without such
 * faults. A process that watches its clock does nothing beyond a bound.
 */
export const clockTolerance = (faults: {
  readonly [F in keyof typeof clockFaults]: number
}): Timestamp => {
  const off = faults.clock_skew_ms + (faults.clock_jumped > 0 ? JUMP : 0)
  return faults.clock_unwatched > 0 ? off : Math.min(off, REFUSE_BEYOND)
}

/** Faults between processes and what they connect to, and among the processes. */
export const linkFaults = {
  pools_exhausted_per_hour: {
    about: "How often in an hour a process has no connection to the store left for 1 to 5 s",
    worst: 20,
    unit: "per hour",
    counted_as: "pool_exhausted",
  },
  links_cut_per_hour: {
    about: "How often in an hour links are stopped one by one and restored in random order",
    worst: 8,
    unit: "per hour",
    counted_as: "link_cut",
  },
  process_old: {
    about: "A process is of the version before, which knows nothing of some kinds of due work",
    worst: 0.4,
  },
} as const satisfies { readonly [fault: string]: FaultInfo }

/** Faults of exchange rates, each time that a rate is requested. */
export const marketFaults = {
  rate_stale: {
    about: "The rates at hand are up to 48 hours old: over 24, they are refused",
    worst: 0.04,
  },
  rate_absent: { about: "There is no rate of a currency, or none at all", worst: 0.04 },
  rate_zero: { about: "The rate of a currency is zero", worst: 0.04 },
} as const satisfies { readonly [fault: string]: FaultInfo }
