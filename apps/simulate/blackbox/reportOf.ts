import { leftOut } from "../../../simulator/blackbox/outsideInvariants.ts"
import type { Report } from "../../../simulator/Report.ts"
import { inMajor } from "../../../simulator/report/Latencies.ts"
import { type SeenPayment, timeOf } from "../../../simulator/blackbox/Seen.ts"
import type { Witness } from "../../../simulator/blackbox/Witness.ts"
import { faultsOf, type Script } from "../../../simulator/world/plans/Plan.ts"
import { notCaused } from "./channels.ts"
import type { Played } from "./playBlackbox.ts"
import { writeFileSync } from "node:fs"
import { Totals } from "../batch/Totals.ts"
import { page } from "../page/page.ts"
import { type MachineReports, writeMachineReports } from "../../reports/machineReports.ts"
import { suitesOf } from "../suitesOf.ts"
import { describeRun, outsideText } from "../summary.ts"

/** How many payments are shown one by one. */
const SHOWN = 60

/** Counts payments by status. */
export const statusesOf = (payments: ReadonlyArray<SeenPayment>): Report["statuses"] => {
  const counts = new Map<string, number>()
  for (const { status } of payments) counts.set(status, (counts.get(status) ?? 0) + 1)
  return Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** How many payments show that their payers gave the money. */
export const paidOf = (payments: ReadonlyArray<SeenPayment>): number =>
  payments.filter(
    ({ authorized_at, succeeded_at }) => authorized_at !== undefined || succeeded_at !== undefined,
  ).length

const STAMPS = [
  ["scanning", "scanned_at"],
  ["authorized", "authorized_at"],
  ["captured", "captured_at"],
] as const

/** Returns a payment's states, from its timestamps; `from` is the beginning of the run. */
export const timelineOf = (witness: Witness, from: number, seen: SeenPayment) => {
  const created = timeOf(seen.created_at)
  const flow = witness.payments.get(seen.id)?.flow ?? "request_payment"
  const moves = STAMPS.flatMap(([status, stamp]) =>
    seen[stamp] === undefined ? [] : [{ status, at_ms: timeOf(seen[stamp]) - created }],
  )
  const last = moves.at(-1)?.at_ms ?? 0
  const ends: { readonly [status: string]: string | undefined } = {
    succeeded: seen.succeeded_at,
    completed: seen.succeeded_at,
    expired: seen.expires_at,
  }
  const end = ends[seen.status]
  const at_ms = end === undefined ? last : timeOf(end) - created
  const first = flow === "request_payment" ? "qr_generated" : "pending"
  const states = [{ status: first, at_ms: 0 }, ...moves, { status: seen.status, at_ms }]
  const amount = inMajor(seen.amount)
  return { id: seen.id, flow, created_ms: created - from, amount, states }
}

/** Returns the results of a run in the form of a world's report, without a trace. */
export const reportOf = (
  { arrivals, from, latencies, log, payments, requests, to, witness }: Played,
  script: Script,
): Report => ({
  seed: script.seed,
  scenario: script.scenario,
  intents: script.payments.length,
  operations: requests + arrivals,
  trace_hash: "",
  trace_steps: 0,
  invariants: witness.auditor.tallies(),
  violations: witness.auditor.violations,
  faults: log.counts(),
  settings: faultsOf(script),
  steps: {},
  pairs: {},
  statuses: statusesOf(payments),
  paid: paidOf(payments),
  latencies: latencies.counts(),
  timelines: payments.slice(0, SHOWN).map((seen) => timelineOf(witness, from, seen)),
  virtual_ms: to - from,
})

/** Returns counts by name as text, the highest first. */
export const countedText = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ")

/** Parts that are played here, too. */
const PLAYED: ReadonlySet<string> = new Set(["changing keys", "gates"])

const UNREACHED =
  "Webhooks: none has arrived. The service does not reach the receivers, which listen on " +
  "127.0.0.1 here; --receiver-port and --receiver-url say where they are for it."

/** What the run's end has left unjudged. */
const CUT_SHORT =
  "The run ended before its time: lists, books and webhooks were not compared at rest, and " +
  "payments are shown as they were last."

/** Describes what the script could have caused here, and this run did not come to. */
const missed = ({ arrivals, log, replaced, sealed, witness }: Played, script: Script) => {
  const settings = faultsOf(script)
  const inside = new Set(notCaused(settings))
  const struck = log.counts()
  const spared = Object.entries(settings)
    .filter(([fault, rate]) => rate > 0 && !inside.has(fault) && (struck[fault] ?? 0) === 0)
    .map(([fault]) => fault)
  const unseen = witness.auditor.tallies().filter(({ checks }) => checks === 0)
  return [
    ...(replaced > 0 ? [] : ["No secret of webhooks was replaced."]),
    ...(sealed > 0 || arrivals === 0 ? [] : ["No webhook that arrived was encrypted."]),
    ...(spared.length === 0 ? [] : [`Faults that did not strike: ${spared.join(", ")}.`]),
    ...(unseen.length === 0
      ? []
      : [`Invariants that judged nothing here: ${unseen.map(({ number }) => number).join(", ")}.`]),
  ]
}

/** Describes what was refused, and what cannot be caused or checked from outside. */
export const notesOf = (played: Played, script: Script): ReadonlyArray<string> => {
  const { arrivals, cutShort, payments, refusals } = played
  const faults = notCaused(faultsOf(script))
  const parts = (script.parts ?? []).filter((name) => !PLAYED.has(name))
  const away = script.incidents.filter(({ what }) => what === "store_away").length
  const late = script.payments.filter(({ aftermath }) => aftermath.late !== null).length
  const made = script.payments.length - payments.length
  return [
    ...(cutShort ? [CUT_SHORT] : []),
    ...(refusals.size === 0 ? [] : [`What requests were refused with: ${countedText(refusals)}.`]),
    ...(made <= 0 ? [] : [`Payments that were never made: ${made}.`]),
    ...(arrivals > 0 ? [] : [UNREACHED]),
    ...missed(played, script),
    `Invariants that show only inside: ${leftOut.map(({ number }) => number).join(", ")}.`,
    ...(faults.length === 0
      ? []
      : [`Faults that nobody causes from outside: ${faults.join(", ")}.`]),
    ...(parts.length === 0 ? [] : [`What is played beside payments: ${parts.join(", ")}.`]),
    ...(away === 0 ? [] : [`${away} times that the store would be away.`]),
    ...(late === 0 ? [] : [`${late} refunds at the end of their channels' windows, months on.`]),
  ]
}

/** The results of a run against a service. */
interface Outside {
  readonly report: Report
  readonly url: string
  /** What was played, in a sentence without its full stop. */
  readonly about: string
  /** What was left out, in sentences. */
  readonly notes: ReadonlyArray<string>
  readonly wall_ms: number
  /** The command that runs the same again. */
  readonly again: string
  /** Why it ended before everything was played and judged. */
  readonly cut_short?: string | undefined
}

/** How the results are printed, and where. */
interface Telling {
  readonly json: boolean
  readonly report: string | undefined
  readonly machines: MachineReports
}

/** Prints the results of a run, for people or programs, and writes them as a page if asked. */
export const printOutcome = (outside: Outside, { json, machines, report: file }: Telling): void => {
  const { about, again, cut_short, notes, report, url, wall_ms } = outside
  const totals = new Totals(report.scenario)
  totals.add(report, wall_ms)
  if (file !== undefined) {
    const shown = { name: report.scenario, about: `${about}. Against ${url}.` }
    writeFileSync(
      file,
      page(totals, shown, wall_ms, { notes, again: { world: () => again, replay: () => again } }),
    )
  }
  const described = {
    ...describeRun(report, wall_ms),
    trace_hash: null,
    url,
    left_out: notes,
    ...(cut_short !== undefined && { cut_short }),
  }
  const told = json ? JSON.stringify(described) : outsideText(totals, report, notes, wall_ms)
  process.stdout.write(`${told}\n`)
  writeMachineReports(suitesOf(totals, { again: () => again }), machines)
}
