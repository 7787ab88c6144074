import type { FaultInfo } from "./Fault.ts"

/** What is wrong with exchange rates, each time that one is asked for. */
export const marketFaults = {
  rate_stale: {
    about: "The rates at hand are up to 48 hours old: over 24, they are refused",
    worst: 0.04,
  },
  rate_absent: { about: "There is no rate of a currency, or none at all", worst: 0.04 },
  rate_zero: { about: "The rate of a currency is zero", worst: 0.04 },
} as const satisfies { readonly [fault: string]: FaultInfo }
