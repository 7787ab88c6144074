import { writeFileSync } from "node:fs"
import type { Report } from "../../../simulator/Report.ts"
import { Totals } from "../batch/Totals.ts"
import { page } from "../page/page.ts"
import { describeRun, outsideText } from "../summary.ts"

/** What came of a run against a service. */
export interface Outside {
  readonly report: Report
  readonly url: string
  /** What was played, in a sentence without its full stop. */
  readonly about: string
  /** What was left out, in sentences. */
  readonly notes: ReadonlyArray<string>
  readonly wall_ms: number
}

/** Prints what came of a run, for people or for programs, and writes it as a page where asked. */
export const printOutcome = (
  outside: Outside & { readonly json: boolean; readonly report: Report },
  file: string | undefined,
): void => {
  const { about, json, notes, report, url, wall_ms } = outside
  const totals = new Totals(report.scenario)
  totals.add(report, wall_ms)
  if (file !== undefined) {
    const shown = { name: report.scenario, about: `${about}. Against ${url}.` }
    writeFileSync(file, page(totals, shown, wall_ms, notes))
  }
  const described = { ...describeRun(report, wall_ms), trace_hash: null, url, left_out: notes }
  const told = json ? JSON.stringify(described) : outsideText(totals, report, notes, wall_ms)
  process.stdout.write(`${told}\n`)
}
