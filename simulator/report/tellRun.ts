import type { Note } from "../auditor/Trace.ts"
import { perform, type PerformOptions } from "../perform.ts"
import type { Report } from "../Report.ts"
import type { Script } from "../world/plans/Plan.ts"
import { Story } from "./Story.ts"

/** A run, and its story. */
export interface ToldRun {
  readonly report: Report
  /** How many steps prepare the world; they are counted but not told. */
  readonly prepared: number
  /** Steps and violations in order, a line each. */
  readonly lines: ReadonlyArray<string>
}

/** Returns the days and the time of a line, for sorting. */
const order = (line: string): string => {
  const [, days = "0", time = ""] = /^(?:\+(\d+) d )?([\d:.]+)/.exec(line) ?? []
  return `${days.padStart(4, "0")} ${time}`
}

/** Performs a script and tells it step by step. */
export const tellRun = (
  script: Script,
  options: Pick<PerformOptions, "alterations"> = {},
): ToldRun => {
  const story = new Story(script.start)
  const steps: Array<string> = []
  let prepared = 0
  const onStep = (note: Note) => {
    const line = story.tell(note)
    if (steps.length === 0 && note.what.startsWith("commit nobody")) prepared += 1
    else steps.push(line)
  }
  const report = perform(script, { ...options, onStep })
  const found = report.violations.map((violation) => story.complain(violation))
  const lines = [...steps, ...found].toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
  return { report, prepared, lines }
}
