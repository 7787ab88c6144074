import { defineKind, ownDueAt } from "../commits/KindDeclaration.ts"
import type { StatementLine } from "../gateway/StatementLine.ts"
import { uuidOfHash } from "../shared/Id.ts"
import { DAY, fromIso, HOUR, MINUTE, type Timestamp, utcDay } from "../shared/Timestamp.ts"

/** The result of a run. The number of stored findings is limited. */
export interface RunResult {
  /** The lines of the channel's statement. */
  readonly lines: number
  /** The ledger's movements of money of the day. */
  readonly booked: number
  /** The discrepancies of accounts. */
  readonly discrepancies: number
  /** The discrepancies that were not stored because of the limit. */
  readonly unstored: number
  /** The lines of trades that belong to no payment of ours. */
  readonly unknown: number
  /** The first of the unknown lines. */
  readonly unknown_lines: ReadonlyArray<StatementLine>
}

/**
 * The reconciliation of a channel's UTC day (Reconciliation). Its id is derived from channel and
 * day, so that all processes open the same run.
 */
export interface ReconciliationRun {
  /** `rrun_` and a UUIDv8. */
  readonly id: string
  readonly version: number
  /** `2026-01-31`. */
  readonly day: string
  readonly channel: string
  /** How often ledger and statement were compared. */
  readonly runs: number
  /** How often in a row the statement was unavailable. */
  readonly attempts: number
  /** Why the statement was unavailable the last time. */
  readonly failure: string | null
  /** The result of the last comparison. */
  readonly result: RunResult | null
  readonly completed_at: Timestamp | null
  /** When they are compared next; null after the last time. */
  readonly due_at: Timestamp | null
}

/**
 * The first comparison is two hours after the end of the day, when channels have closed their
 * books.
 */
const FIRST = 2 * HOUR

/** The days on which it is compared, since statement lines and callbacks can be late. */
const COMPARISONS = 4

const WAITS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR]

/** Runs stop after about ten days without a statement; the operator has to act. */
const MOST_ATTEMPTS = 45

/** Returns the start of a day. */
export const startOf = (day: string): Timestamp => fromIso(`${day}T00:00:00Z`) ?? 0

/** Makes the run of a channel for a day. */
export const runOf = (
  channel: string,
  day: string,
  sha256: (text: string) => string,
): ReconciliationRun => ({
  id: `rrun_${uuidOfHash(sha256(`reconciliation:${channel}:${day}`))}`,
  version: 1,
  day,
  channel,
  runs: 0,
  attempts: 0,
  failure: null,
  result: null,
  completed_at: null,
  due_at: startOf(day) + DAY + FIRST,
})

/** Returns the next day. */
export const nextDay = (day: string): string => utcDay(startOf(day) + DAY)

/** Records a comparison. The next one is a day later, unless this was the last one. */
export const compared = (
  run: ReconciliationRun,
  result: RunResult,
  now: Timestamp,
): ReconciliationRun => {
  const next = startOf(utcDay(now)) + DAY + FIRST
  return {
    ...run,
    runs: run.runs + 1,
    attempts: 0,
    failure: null,
    result,
    completed_at: now,
    due_at: now < startOf(run.day) + COMPARISONS * DAY ? next : null,
  }
}

/** Records that the statement was unavailable. The next attempt follows after a growing wait. */
export const refused = (
  run: ReconciliationRun,
  failure: string,
  now: Timestamp,
): ReconciliationRun => {
  const wait = WAITS[run.attempts] ?? 6 * HOUR
  const attempts = run.attempts + 1
  return {
    ...run,
    attempts,
    failure: failure.slice(0, 512),
    due_at: attempts < MOST_ATTEMPTS ? now + wait : null,
  }
}

declare module "../commits/Records.ts" {
  interface DueRecords {
    readonly reconciliation_run: ReconciliationRun
  }
}

/** How the store keeps reconciliation runs. */
export const reconciliationRunKind = defineKind("reconciliation_run", {
  prefix: "rrun",
  // A run belongs to no single account.
  erased: false,
  dueAt: ownDueAt,
  unique: [{ by: ["day", "channel"] }],
})
