import type { FaultInfo } from "./Fault.ts"

/** What is wrong between processes and what they reach, and among processes themselves. */
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
