import { BadOptions } from "../commandLine.ts"
import { type MachineReports, writeMachineReports } from "../reports/machineReports.ts"
import type { Need, Prepared } from "./Grader.ts"
import { graderOf, USAGE } from "./graders.ts"
import { exitCodeOf, type Report, reportJson } from "./report/Report.ts"
import { progressLine, summaryText } from "./report/reportText.ts"
import { suiteOf } from "./report/suiteOf.ts"
import { CannotGrade } from "./runChecks.ts"

const print = (text: string) => void process.stdout.write(`${text}\n`)

const needLine = ({ given, name, use }: Need): string =>
  `  ${given ? "has  " : "lacks"}  ${name.padEnd(26)} ${use}`

/** Aborts at a signal, and when the time is up. */
const endOf = (seconds: number): AbortSignal => {
  const stopping = new AbortController()
  const stop = () => {
    if (stopping.signal.aborted) process.exit(2)
    stopping.abort()
  }
  process.on("SIGINT", stop)
  process.on("SIGTERM", stop)
  process.stdout.on("error", stop)
  return AbortSignal.any([stopping.signal, AbortSignal.timeout(seconds * 1_000)])
}

const write = (report: Report, machines: MachineReports): void => {
  try {
    writeMachineReports([suiteOf(report)], machines)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new CannotGrade(`The report could not be written: ${why}.`, { cause: error })
  }
}

const run = async (grader: string, prepared: Prepared): Promise<number> => {
  const { common, grade, needs, subject } = prepared
  const say = common.json ? () => undefined : print
  say(`payport grade ${grader} of ${subject}\n\n${needs.map(needLine).join("\n")}\n`)
  const ran = await grade((judged) => say(progressLine(judged)), endOf(common.seconds))
  const report: Report = { grader, subject, seed: common.seed, ...ran }
  say(summaryText(report))
  if (common.json) print(JSON.stringify(reportJson(report)))
  write(report, common.machines)
  return exitCodeOf(report)
}

const main = async ([name = "--help", ...args]: ReadonlyArray<string>): Promise<number> => {
  try {
    if (name === "--help") {
      process.stdout.write(USAGE)
      return 0
    }
    const load = graderOf(name)
    if (load === undefined) throw new BadOptions(`There is no grader ${JSON.stringify(name)}.`)
    const grader = await load()
    const prepared = grader.read(args)
    if (prepared !== undefined) return await run(name, prepared)
    process.stdout.write(grader.usage)
    return 0
  } catch (error) {
    if (error instanceof BadOptions) {
      const known = graderOf(name) === undefined ? "" : ` ${name}`
      process.stderr.write(`${error.message} See payport grade${known} --help.\n`)
      return 2
    }
    if (!(error instanceof CannotGrade)) throw error
    process.stderr.write(`${error.message}\n`)
    return 2
  }
}

process.exitCode = await main(process.argv.slice(2))
