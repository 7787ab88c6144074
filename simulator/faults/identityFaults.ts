import type { FaultInfo } from "./Fault.ts"

/** What goes wrong between people who prove who they are and those who check it. */
export const identityFaults = {
  code_delay_ms: {
    about: "How long a code is on its way on average",
    worst: 240_000,
    unit: "milliseconds",
    counted_as: "code_delayed",
  },
  code_doubled: { about: "A code arrives twice", worst: 1 },
  code_lost: { about: "Nobody takes a code, so that another one has to be made", worst: 0.95 },
  authority_away: { about: "The authority that issued a document does not answer", worst: 0.8 },
} as const satisfies { readonly [fault: string]: FaultInfo }
