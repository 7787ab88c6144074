import { Result } from "effect"
import type { Note } from "../../simulator/auditor/Trace.ts"
import { perform } from "../../simulator/perform.ts"
import { Story } from "../../simulator/report/Story.ts"
import { readRunFile } from "../../simulator/RunFile.ts"
import { readData, refuseFile } from "./scenarioOf.ts"
import { describeRun } from "./summary.ts"

/** Runs what a file holds again and tells it. Returns the exit code. */
export const replay = (file: string, json: boolean): number => {
  const read = readRunFile(readData(file))
  if (Result.isFailure(read)) return refuseFile(file, read.failure)
  const { script, trace_hash } = read.success
  const story = new Story(script.start)
  const lines: Array<string> = []
  const started = performance.now()
  let prepared = 0
  const onStep = (note: Note) => {
    const line = story.tell(note)
    // What is there before anybody does anything is counted and not told.
    if (lines.length === 0 && note.what.startsWith("commit nobody")) prepared += 1
    else lines.push(line)
  }
  const report = perform(script, { onStep })
  const wall_ms = performance.now() - started
  if (json) {
    process.stdout.write(`${JSON.stringify(describeRun(report, wall_ms))}\n`)
  } else {
    const found = report.violations.map((violation) => story.complain(violation))
    const all = [...lines, ...found].toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
    process.stdout.write(`The world is prepared in ${prepared} steps.\n${all.join("\n")}\n`)
    const same = report.trace_hash === trace_hash
    const trace = same ? "the one written down" : "another than was written down"
    const { trace_steps, violations } = report
    process.stdout.write(`\n${violations.length} broken, ${trace_steps} steps, trace: ${trace}\n`)
  }
  return report.violations.length === 0 ? 0 : 1
}

/** Days and time of day, so that lines can be put in order. */
const order = (line: string): string => {
  const [, days = "0", time = ""] = /^(?:\+(\d+) d )?([\d:.]+)/.exec(line) ?? []
  return `${days.padStart(4, "0")} ${time}`
}
