import { Result } from "effect"
import { tellRun } from "../../simulator/report/tellRun.ts"
import { readRunFile } from "../../simulator/RunFile.ts"
import { readData, refuseFile } from "./scenarioOf.ts"
import { describeRun } from "./summary.ts"

/** Replays the run in a file and tells its story. Returns the exit code. */
export const replay = (file: string, json: boolean): number => {
  const read = readRunFile(readData(file))
  if (Result.isFailure(read)) return refuseFile(file, read.failure)
  const { reduced = [], script, trace_hash } = read.success
  const started = performance.now()
  const { lines, prepared, report } = tellRun(script)
  const wall_ms = performance.now() - started
  if (json) {
    process.stdout.write(`${JSON.stringify(describeRun(report, wall_ms))}\n`)
  } else {
    if (reduced.length > 0) process.stdout.write(`${reduced.join("\n")}\n\n`)
    process.stdout.write(`The world is prepared in ${prepared} steps.\n${lines.join("\n")}\n`)
    const same = report.trace_hash === trace_hash
    const trace = same ? "the one written down" : "another than was written down"
    const { trace_steps, violations } = report
    process.stdout.write(`\n${violations.length} broken, ${trace_steps} steps, trace: ${trace}\n`)
  }
  return report.violations.length === 0 ? 0 : 1
}
