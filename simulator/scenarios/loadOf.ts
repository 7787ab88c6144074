import type { Scenario } from "./Scenario.ts"

/** Returns in how many milliseconds so many payments of a scenario begin, as a mean. */
export const loadOf = ({ load, plays }: Scenario, payments: number): number => {
  if (plays !== undefined) {
    const round = plays.reduce((sum, { after_ms }) => sum + after_ms, 0)
    return (round * payments) / plays.length
  }
  switch (load.shape) {
    case "steady":
      return load.mean_gap_ms * payments
    case "bursts":
      return load.pause_ms * Math.floor((payments - 1) / load.size)
    case "ramp":
      return ((load.from_gap_ms + load.to_gap_ms) / 2) * payments
  }
}
