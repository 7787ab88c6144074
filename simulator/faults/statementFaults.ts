import type { FaultInfo } from "./Fault.ts"

/** What is wrong with the channels' statements. */
export const statementFaults = {
  statement_dropped: { about: "A line is left out of its channel's statement", worst: 0.2 },
  statement_changed: {
    about: "A line of a statement says something else than its channel's books",
    worst: 0.2,
  },
} as const satisfies { readonly [fault: string]: FaultInfo }
