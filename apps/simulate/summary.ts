import type { Tally, Violation } from "../../simulator/auditor/Auditor.ts"
import { type Buckets, quantile } from "../../simulator/report/Latencies.ts"
import type { Report } from "../../simulator/Report.ts"
import type { Counts, Totals } from "./batch/Totals.ts"
import type { Reduced } from "./failures.ts"
import type { RunOptions } from "./options.ts"

const duration = (millis: number): string => {
  const minutes = Math.round(millis / 60_000)
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60)]
  return `${days > 0 ? `${days} d ` : ""}${hours} h ${minutes % 60} min`
}

const columns = (rows: ReadonlyArray<readonly [string, ...ReadonlyArray<string>]>): string => {
  const widths = rows[0]?.map((_, n) => Math.max(...rows.map((row) => (row[n] ?? "").length))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, n) => (n < 2 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}

const counted = (title: string, counts: Counts): string =>
  `${title}\n${
    columns(Object.entries(counts).map(([name, count]) => ["", name, String(count)])) || "  none"
  }`

const found = ({ number, subject, finding, at }: Violation): string =>
  `  invariant ${number}, at ${at}\n    ${subject} ${finding}`

/** How many violations of a seed, and how many seeds, are described. */
const TOLD = 5

/** Returns the command that runs the world of a seed again. */
type Again = (seed: number) => string

const HOW = { broke_down: "broke down", too_long: "was given up" } as const

const failures = (totals: Totals, again: Again): ReadonlyArray<string> => [
  ...totals.failed
    .slice(0, TOLD)
    .flatMap((failed) => [
      "",
      `Seed ${failed.seed} broke an invariant. Run it again with`,
      `  ${again(failed.seed)}`,
      ...failed.violations.slice(0, TOLD).map(found),
    ]),
  ...totals.broken
    .slice(0, TOLD)
    .flatMap(({ how, message, seed }) => [
      "",
      `Seed ${seed} ${HOW[how]}: ${message}`,
      "Run it again with",
      `  ${again(seed)}`,
    ]),
]

const rowsOf = (tallies: ReadonlyArray<Tally>) =>
  tallies.map(
    ({ number, name, checks, violations }) =>
      [String(number), name, String(checks), String(violations)] as const,
  )

const visited = (pairs: Counts): string => {
  const all = Object.values(pairs)
  return `${all.filter((count) => count > 0).length} of ${all.length} pairs of state and event`
}

const countsOf = ({ faults, invariants, made, paid, statuses }: Totals): ReadonlyArray<string> => [
  columns([["", "Invariant", "checks", "violations"], ...rowsOf(invariants)]),
  "",
  counted(`Payments by final status (${paid} of ${made} were paid)`, statuses),
  "",
  counted("Faults that struck", faults),
  "",
]

/** Returns the results of the runs for people. */
export const summaryText = (totals: Totals, again: Again, wall_ms: number): string => {
  const { seeds, intents, hashes, scenario, virtual_ms } = totals
  const [only] = seeds === 1 ? hashes.values() : []
  return [
    ...countsOf(totals),
    `${scenario}: ${intents} payments and ${totals.operations} requests in ${seeds} ` +
      `${seeds === 1 ? "world" : "worlds"}, ${visited(totals.pairs)}`,
    `${duration(virtual_ms)} of virtual time, ${(wall_ms / 1_000).toFixed(1)} s of real time`,
    ...(only === undefined ? [] : [`trace ${only} (${totals.trace_steps} steps)`]),
    ...failures(totals, again),
  ].join("\n")
}

/** Returns the results of a run against a service for people. */
export const outsideText = (
  totals: Totals,
  { violations }: Report,
  notes: ReadonlyArray<string>,
  wall_ms: number,
): string => {
  const { intents, operations, scenario, virtual_ms } = totals
  const clock = virtual_ms === 0 ? "" : `${duration(virtual_ms)} of the service's clock, `
  return [
    ...countsOf(totals),
    "Not played, or not judged",
    ...notes.map((note) => `  ${note}`),
    "",
    `${scenario}: ${intents} payments, ${operations} requests and webhooks`,
    `${clock}${(wall_ms / 1_000).toFixed(1)} s of real time`,
    ...(violations.length === 0 ? [] : ["", "What broke", ...violations.slice(0, 20).map(found)]),
  ].join("\n")
}

const latenciesOf = (latencies: { readonly [what: string]: Buckets }) =>
  Object.fromEntries(
    Object.entries(latencies).map(([what, buckets]) => [
      what,
      {
        count: buckets.reduce((sum, count) => sum + count, 0),
        p50_ms: quantile(buckets, 0.5),
        p95_ms: quantile(buckets, 0.95),
        p99_ms: quantile(buckets, 0.99),
      },
    ]),
  )

/** Returns the results of one run for programs. */
export const describeRun = (report: Report, wall_ms: number) => ({
  seed: report.seed,
  scenario: report.scenario,
  intents: report.intents,
  operations: report.operations,
  trace_hash: report.trace_hash,
  trace_steps: report.trace_steps,
  invariants: report.invariants,
  violations: report.violations,
  faults: report.faults,
  settings: report.settings,
  pairs: report.pairs,
  statuses: report.statuses,
  paid: report.paid,
  latencies: latenciesOf(report.latencies),
  timings: { wall_ms: Math.round(wall_ms), virtual_ms: report.virtual_ms },
})

/** Returns a reduced world for programs. */
export const describeReduced = (reduced: Reduced) => {
  const { faults, file, payments, seed, shrunk, unwritten, violation } = reduced
  return {
    seed,
    ...(unwritten === undefined ? { file } : { file: null, unwritten }),
    invariant: violation.number,
    payments,
    faults,
    ...shrunk,
  }
}

/** Returns the results of many runs for programs: their sums, and each that failed. */
export const describeTotals = (options: RunOptions, totals: Totals, wall_ms: number) => ({
  seed: options.seed,
  seeds: totals.seeds,
  scenario: totals.scenario,
  intents: totals.intents,
  operations: totals.operations,
  trace_hash: Object.fromEntries([...totals.hashes].toSorted(([a], [b]) => a - b)),
  invariants: totals.invariants,
  faults: totals.faults,
  pairs: totals.pairs,
  statuses: totals.statuses,
  paid: totals.paid,
  latencies: latenciesOf(totals.latencies),
  timings: {
    wall_ms: Math.round(wall_ms),
    thread_ms: Math.round(totals.thread_ms),
    virtual_ms: totals.virtual_ms,
  },
  failed: totals.failed,
  broken: totals.broken,
})
