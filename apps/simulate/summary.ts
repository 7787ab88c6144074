import type { Tally, Violation } from "../../simulator/auditor/Auditor.ts"
import { isSound, type Report } from "../../simulator/Report.ts"
import type { Options } from "./options.ts"

type Counts = { readonly [name: string]: number }

/** One seed's report with the time that it took, in milliseconds. */
export interface Run {
  readonly report: Report
  readonly wall_ms: number
}

const sum = (all: ReadonlyArray<Counts>): Counts => {
  const total = new Map<string, number>()
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) {
      total.set(name, (total.get(name) ?? 0) + count)
    }
  }
  return Object.fromEntries([...total].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const tallies = (runs: ReadonlyArray<Run>): ReadonlyArray<Tally> =>
  (runs[0]?.report.invariants ?? []).map((tally, n) => {
    const all = runs.map(({ report }) => report.invariants[n] ?? tally)
    return {
      ...tally,
      checks: all.reduce((total, { checks }) => total + checks, 0),
      violations: all.reduce((total, { violations }) => total + violations, 0),
    }
  })

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

const found = ({ report }: Run, { number, subject, finding, at }: Violation): string =>
  `  seed ${report.seed}, invariant ${number}, at ${at}\n    ${subject} ${finding}`

/** How many violations of a seed are told in words. */
const TOLD = 5

/** How a seed is run again by itself. */
export const replayCommand = (report: Pick<Report, "seed" | "intents">): string =>
  `npm run simulate -- --seed ${report.seed} --intents ${report.intents}`

const violations = (runs: ReadonlyArray<Run>): ReadonlyArray<string> =>
  runs
    .filter(({ report }) => !isSound(report))
    .flatMap((run) => [
      "",
      `Seed ${run.report.seed} broke an invariant. Run it again with`,
      `  ${replayCommand(run.report)}`,
      ...run.report.violations.slice(0, TOLD).map((violation) => found(run, violation)),
    ])

/** What came of the runs, for people. */
export const summaryText = (runs: ReadonlyArray<Run>): string => {
  const wall = runs.reduce((total, { wall_ms }) => total + wall_ms, 0)
  const virtual = runs.reduce((total, { report }) => total + report.virtual_ms, 0)
  const intents = runs.reduce((total, { report }) => total + report.intents, 0)
  const rows = tallies(runs).map(
    ({ number, name, checks, violations: broken }) =>
      [String(number), name, String(checks), String(broken)] as const,
  )
  const [only] = runs
  return [
    columns([["", "Invariant", "checks", "violations"], ...rows]),
    "",
    counted("Payments by final status", sum(runs.map(({ report }) => report.statuses))),
    "",
    counted("Faults that struck", sum(runs.map(({ report }) => report.faults))),
    "",
    `${intents} payments in ${runs.length} ${runs.length === 1 ? "world" : "worlds"}, ` +
      `${duration(virtual)} of virtual time, ${(wall / 1_000).toFixed(1)} s of real time`,
    ...(runs.length === 1 && only !== undefined
      ? [`trace ${only.report.trace_hash} (${only.report.trace_steps} steps)`]
      : []),
    ...violations(runs),
    "",
  ].join("\n")
}

const described = ({ report, wall_ms }: Run) => ({
  seed: report.seed,
  intents: report.intents,
  trace_hash: report.trace_hash,
  trace_steps: report.trace_steps,
  invariants: report.invariants,
  violations: report.violations,
  faults: report.faults,
  settings: report.settings,
  statuses: report.statuses,
  timings: { wall_ms: Math.round(wall_ms), virtual_ms: report.virtual_ms },
})

/** What came of the runs, for programs: the run itself, or a list of them with their sums. */
export const summaryJson = (options: Options, runs: ReadonlyArray<Run>): string => {
  const [only] = runs
  if (runs.length === 1 && only !== undefined) return `${JSON.stringify(described(only))}\n`
  return `${JSON.stringify({
    seed: options.seed,
    seeds: options.seeds,
    intents: options.intents,
    trace_hash: runs.map(({ report }) => report.trace_hash),
    invariants: tallies(runs),
    faults: sum(runs.map(({ report }) => report.faults)),
    statuses: sum(runs.map(({ report }) => report.statuses)),
    timings: {
      wall_ms: Math.round(runs.reduce((total, { wall_ms }) => total + wall_ms, 0)),
      virtual_ms: runs.reduce((total, { report }) => total + report.virtual_ms, 0),
    },
    failed: runs
      .filter(({ report }) => !isSound(report))
      .map(({ report }) => ({
        seed: report.seed,
        command: replayCommand(report),
        violations: report.violations,
      })),
  })}\n`
}
