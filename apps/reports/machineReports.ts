import { closeSync, openSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { anyText, BadOptions, type Given } from "../commandLine.ts"
import { githubAnnotations } from "./githubAnnotations.ts"
import { junitXml } from "./junit.ts"
import { tapText } from "./tap.ts"
import type { TestSuite } from "./TestSuite.ts"

/** The options for reports to build servers. */
export const MACHINE_OPTIONS = { junit: anyText, tap: anyText, github: "flag" } as const

/** The lines of `--help` about them. */
export const MACHINE_USAGE = `\
  --junit FILE         writes the report as JUnit's XML, too
  --tap FILE           writes it as TAP, version 14
  --github             prints what failed as annotations of GitHub Actions, too; not with --json
`

/** The requested reports for build servers. */
export interface MachineReports {
  /** The files that they are written to. */
  readonly junit: string | undefined
  readonly tap: string | undefined
  /** Whether annotations are printed on standard output. */
  readonly github: boolean
}

/** A file that an option names. */
type Place = readonly [option: string, file: string | undefined]

const checkWritable = ([option, file]: Place): void => {
  if (file === undefined) return
  try {
    closeSync(openSync(file, "a"))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new BadOptions(`--${option} cannot be written: ${why}.`, { cause: error })
  }
}

/** Checks at the start that the files can be written at the end. Throws `BadOptions`. */
const checkPlaces = (places: ReadonlyArray<Place>): void => {
  for (const [n, [option, file]] of places.entries()) {
    const same = places
      .slice(0, n)
      .find(([, other]) => file !== undefined && resolve(other ?? "") === resolve(file))
    if (same === undefined) continue
    throw new BadOptions(`--${same[0]} and --${option} name the same file: give each its own.`)
  }
  places.forEach(checkWritable)
}

/** Reads the options; `others` are files that are written beside these. Throws `BadOptions`. */
export const readMachineReports = (
  { github, json, junit, tap }: Given<typeof MACHINE_OPTIONS> & { readonly json: boolean },
  others: ReadonlyArray<Place> = [],
): MachineReports => {
  if (github && json) {
    throw new BadOptions("--github and --json both print on standard output: give one of them.")
  }
  checkPlaces([...others, ["junit", junit], ["tap", tap]])
  return { junit, tap, github }
}

/** Writes the reports that are wanted. */
export const writeMachineReports = (
  suites: ReadonlyArray<TestSuite>,
  { github, junit, tap }: MachineReports,
): void => {
  if (junit !== undefined) writeFileSync(junit, junitXml(suites))
  if (tap !== undefined) writeFileSync(tap, tapText(suites))
  if (github) for (const line of githubAnnotations(suites)) process.stdout.write(`${line}\n`)
}
