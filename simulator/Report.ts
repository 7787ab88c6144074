import type { Tally, Violation } from "./auditor/Auditor.ts"
import type { Faults } from "./faults/Faults.ts"

/** What came of a world. */
export interface Report {
  readonly seed: number
  readonly intents: number
  /** Lower-case hex SHA-256 of everything that happened: equal for equal runs. */
  readonly trace_hash: string
  readonly trace_steps: number
  readonly invariants: ReadonlyArray<Tally>
  readonly violations: ReadonlyArray<Violation>
  /** How often each fault struck, and how likely the seed had made it. */
  readonly faults: { readonly [fault: string]: number }
  readonly settings: Faults
  /** Payments by the status in which they ended. */
  readonly statuses: { readonly [status: string]: number }
  readonly virtual_ms: number
}

/** Whether every invariant held. */
export const isSound = ({ invariants }: Report): boolean =>
  invariants.every(({ violations }) => violations === 0)
