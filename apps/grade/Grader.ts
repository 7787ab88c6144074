import { randomBytes } from "node:crypto"
import { currencies } from "../../adapters/fx/Currencies.ts"
import { BadOptions, type Given, refused, visible, webUrl, wholeNumber } from "../commandLine.ts"
import {
  MACHINE_OPTIONS,
  MACHINE_USAGE,
  type MachineReports,
  readMachineReports,
} from "../reports/machineReports.ts"
import type { Judged } from "./report/Report.ts"
import { type Check, type Ran, runChecks } from "./runChecks.ts"

/** Something that a grader can be given. */
export interface Need {
  /** Its name, such as `--effects URL`. */
  readonly name: string
  readonly given: boolean
  /** Its purpose. */
  readonly use: string
}

/** A grader whose command line has been read. */
export interface Prepared {
  readonly subject: string
  readonly needs: ReadonlyArray<Need>
  readonly common: CommonOptions
  /** Rejects with `CannotGrade` if nothing can be graded. */
  readonly grade: (tell: (judged: Judged) => void, signal: AbortSignal) => Promise<Ran>
}

/** A grader of one kind of software. */
export interface Grader {
  /** The text of its `--help`. */
  readonly usage: string
  /** Reads its command line; undefined for `--help`. Throws `BadOptions`. */
  readonly read: (args: ReadonlyArray<string>) => Prepared | undefined
}

/** The options of every grader. */
export const COMMON = {
  seed: visible,
  seconds: wholeNumber(1, 3_600),
  json: "flag",
  ...MACHINE_OPTIONS,
} as const

/** Returns the `--help` lines about the common options, with a run's default time in seconds. */
export const commonUsage = (seconds: number): string => `\
  --seed SEED          repeats what a run chose (default: a new one, which is printed)
  --seconds N          the longest that the whole run may take, 1 to 3600 (default ${seconds})
${MACHINE_USAGE}  --json               prints the report as one JSON object, and nothing meanwhile
  --help               prints this
`

/** The same for the default time limit. */
export const COMMON_USAGE = commonUsage(120)

/** The part of a grader's `--help` about exit codes. */
export const EXIT_USAGE = `\
It ends with 0 when everything that could be judged passed, with 1 when something failed, with 2
on a wrong option, or when it could not run to its end.
`

/** The common options of a run. */
export interface CommonOptions {
  readonly seed: string
  readonly seconds: number
  readonly json: boolean
  readonly machines: MachineReports
}

/** The common options, with their defaults. */
export const commonOf = (given: Given<typeof COMMON>): CommonOptions => ({
  seed: given.seed ?? randomBytes(6).toString("hex"),
  seconds: given.seconds ?? 120,
  json: given.json,
  machines: readMachineReports(given),
})

/** Reads the code of a currency, such as USD, whose decimals are known. */
export const currencyCode = (name: string, text: string): string => {
  if (currencies.has(text)) return text
  throw refused(name, "a code of ISO 4217 such as USD", text)
}

/** Returns the one address after the grader's name. Throws `BadOptions`. */
export const addressOf = (positionals: ReadonlyArray<string>, example: string): URL => {
  const [text, ...others] = positionals
  if (text === undefined) throw new BadOptions(`The address is missing, such as ${example}.`)
  if (others.length > 0) throw new BadOptions(`There is one address, and ${others[0]} is another.`)
  return webUrl(example)("address", text)
}

/** Returns the checks with these comma-separated names, and all they need. Throws `BadOptions`. */
export const onlyOf = <Subject>(
  checks: ReadonlyArray<Check<Subject>>,
  only: string | undefined,
): ReadonlyArray<Check<Subject>> => {
  if (only === undefined) return checks
  const open = only.split(",")
  const names = new Set<string>()
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const check = checks.find(({ id }) => id === name)
    if (check === undefined) throw new BadOptions(`There is no check ${JSON.stringify(name)}.`)
    names.add(name)
    open.push(...(check.needs ?? []).filter((needed) => !names.has(needed)))
  }
  return checks.filter(({ id }) => names.has(id))
}

/** Opens a subject, runs checks on it, and closes it in any case. */
export const gradeWith = async <Subject extends { readonly close: () => Promise<void> }>(
  checks: ReadonlyArray<Check<Subject>>,
  open: () => Promise<Subject>,
  tell: (judged: Judged) => void,
  signal: AbortSignal,
): Promise<Ran> => {
  const subject = await open()
  try {
    return await runChecks(checks, subject, { tell, signal, now: () => performance.now() })
  } finally {
    await subject.close()
  }
}
