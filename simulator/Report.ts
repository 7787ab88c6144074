import type { Tally, Violation } from "./auditor/Auditor.ts"
import type { Faults } from "./faults/Faults.ts"
import type { Buckets, Timeline } from "./report/Latencies.ts"

/** The results of a world. */
export interface Report {
  readonly seed: number
  readonly scenario: string
  readonly intents: number
  /** Requests of clients and messages of channels. */
  readonly operations: number
  /** Lower-case hex SHA-256 of everything that happened: equal for equal runs. */
  readonly trace_hash: string
  readonly trace_steps: number
  readonly invariants: ReadonlyArray<Tally>
  readonly violations: ReadonlyArray<Violation>
  /** How often each fault happened, and how likely the seed had made it. */
  readonly faults: { readonly [fault: string]: number }
  readonly settings: Faults
  /** How often any process reached each step at which it may crash. */
  readonly steps: { readonly [label: string]: number }
  /** How often each event happened to a payment in each state, by flow, state and event. */
  readonly pairs: { readonly [pair: string]: number }
  /** Payments by their final status. */
  readonly statuses: { readonly [status: string]: number }
  /** Payments whose payers gave the money, whatever became of it afterwards. */
  readonly paid: number
  /** Durations in virtual time. */
  readonly latencies: { readonly [what: string]: Buckets }
  /** Some of the payments, state by state. */
  readonly timelines: ReadonlyArray<Timeline>
  readonly virtual_ms: number
}

/** Whether every invariant held. */
export const isSound = ({ invariants }: Report): boolean =>
  invariants.every(({ violations }) => violations === 0)
