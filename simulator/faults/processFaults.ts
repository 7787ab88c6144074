import type { FaultInfo } from "./Fault.ts"

/** What happens to the processes of the service and to the store that they share. */
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
