import { defineKind, ownDueAt } from "../commits/KindDeclaration.ts"
import type { StatementLine } from "../gateway/StatementLine.ts"
import { uuidOfHash } from "../shared/Id.ts"
import { DAY, fromIso, HOUR, MINUTE, type Timestamp, utcDay } from "../shared/Timestamp.ts"

/** What a run has found; how much is kept of it is bounded. */
export interface RunResult {
  /** Lines of the channel's statement. */
  readonly lines: number
  /** Movements of money that our ledger has for the day. */
  readonly booked: number
  /** Discrepancies of accounts. */
  readonly discrepancies: number
  /** Those of them that were too many to be stored. */
  readonly unstored: number
  /** Lines of trades that belong to no payment of ours. */
  readonly unknown: number
  /** The first of those. */
  readonly unknown_lines: ReadonlyArray<StatementLine>
}

/**
 * A UTC day of a channel, and how our ledger stood against its statement (Reconciliation). Its id
 * is made of the two, so that there is one for each whoever opens it.
 */
export interface ReconciliationRun {
  /** `rrun_` and a UUIDv8. */
  readonly id: string
  readonly version: number
  /** `2026-01-31`. */
  readonly day: string
  readonly channel: string
  /** How often the two were compared. */
  readonly runs: number
  /** How often in a row the statement could not be had. */
  readonly attempts: number
  /** Why it could not be had the last time. */
  readonly failure: string | null
  /** What the last comparison came to. */
  readonly result: RunResult | null
  readonly completed_at: Timestamp | null
  /** When they are compared next; null when they no longer are. */
  readonly due_at: Timestamp | null
}

/** A day is compared first two hours after its end, when channels have closed their books. */
const FIRST = 2 * HOUR

/** It is compared on so many days: lines come late, and so do messages. */
const COMPARISONS = 4

const WAITS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR]

/** A channel whose statement cannot be had for about ten days is left to its operator. */
const MOST_ATTEMPTS = 45

/** The first moment of a day. */
export const startOf = (day: string): Timestamp => fromIso(`${day}T00:00:00Z`) ?? 0

/** The run of a channel for a day. */
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

/** The day after. */
export const nextDay = (day: string): string => utcDay(startOf(day) + DAY)

/** The run once the two have been compared: again a day later, but for the last time. */
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

/** The run after its statement could not be had: it is asked for again, after growing waits. */
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

/** How reconciliation runs are kept. */
export const reconciliationRunKind = defineKind("reconciliation_run", {
  prefix: "rrun",
  // It is of no single account.
  erased: false,
  dueAt: ownDueAt,
  unique: [{ by: ["day", "channel"] }],
})
