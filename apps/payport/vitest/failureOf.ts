import { createHash } from "node:crypto"
import { join } from "node:path"
import { makeFolderSync } from "../../../adapters/shared/makeFolder.ts"
import { breaksAgain } from "../../../simulator/report/breaksAgain.ts"
import { usualParts } from "../../../simulator/parts.ts"
import { type Performed, performedOf } from "../../../simulator/report/performed.ts"
import { isSound, type Report } from "../../../simulator/Report.ts"
import { tellRun, type ToldRun } from "../../../simulator/report/tellRun.ts"
import { runFileName, writeRunFile } from "../../../simulator/RunFile.ts"
import { shrink } from "../../../simulator/shrinking/shrink.ts"
import type { Script } from "../../../simulator/world/plans/Plan.ts"
import { tellShrunk } from "../../../simulator/shrinking/tellShrunk.ts"
import { replaceFile } from "../../replaceFile.ts"
import { shellArgument } from "../../shellArgument.ts"

/** How a failing world is reported. */
export interface TellOptions {
  /** How many smaller worlds are tried to shorten the story; 60 by default, none for 0. */
  readonly tries?: number
  /** The folder of the run's file; `.payport/worlds` by default. */
  readonly folder?: string
}

/** A failing world: its description, and the file that replays it. */
export interface Failure {
  readonly message: string
  /** Undefined if the world cannot be performed again, or the file not be written. */
  readonly file: string | undefined
}

const TRIES = 60
/** The factor for the number of tries that is suggested when the tries are used up. */
const MORE = 4
const FOLDER = ".payport/worlds"

/** How many steps of a story are shown before the first violation, and how many after it. */
const BEFORE = 50
const AFTER = 10
/** How many violations are listed. */
const LISTED = 5

const foundIn = ({ violations }: Report): ReadonlyArray<string> => [
  ...violations
    .slice(0, LISTED)
    .map(({ at, finding, name, number, subject }) =>
      [`  invariant ${number} (${name}), at ${at}`, `    ${subject} ${finding}`].join("\n"),
    ),
  ...(violations.length > LISTED ? [`  and ${violations.length - LISTED} more`] : []),
]

const storyOf = ({ lines, prepared, report }: ToldRun): ReadonlyArray<string> => {
  const { settings } = report
  const faults = Object.values(settings).filter((size) => size > 0).length
  const broke = Math.max(
    0,
    lines.findIndex((line) => line.includes("✗ INVARIANT")),
  )
  const told = lines.slice(Math.max(0, broke - BEFORE), broke + AFTER)
  const [before, after] = [Math.max(0, broke - BEFORE), lines.length - broke - AFTER]
  return [
    `Its story (payments: ${report.intents}, faults that are on: ${faults}, steps that prepare ` +
      `the world: ${prepared}):`,
    ...(before > 0 ? [`  (${before} lines before)`] : []),
    ...told.map((line) => `  ${line}`),
    ...(after > 0 ? [`  (${after} lines after)`] : []),
  ]
}

/** A reduced world, and the notes of how it was reduced. */
interface Small extends ToldRun {
  readonly reduced: ReadonlyArray<string>
}

/** Reduces the world, as far as the given number of tries allows. */
const reduce = ({ alterations, script }: Performed, number: number, tries: number): Small => {
  if (tries === 0) return { ...tellRun(script, { alterations }), reduced: [] }
  const fails = (smaller: Performed["script"]) => breaksAgain(smaller, number, { alterations })
  const shrunk = shrink(script, usualParts, fails, { tries })
  const told = tellShrunk(shrunk, {
    out_of_tries: `Its ${tries} tries are used up: { tries: ${tries * MORE} } gives it more.`,
  })
  return { ...tellRun(shrunk.script, { alterations }), reduced: told }
}

/** Tests of several stores play the same seeds: each has a file of its own, in every run. */
const hashOf = (script: Script, test: string): string =>
  createHash("sha256")
    .update(JSON.stringify([test, script]))
    .digest("hex")
    .slice(0, 8)

/** The file of a reduced world, or why it could not be written. */
interface Kept {
  readonly file?: string
  readonly unwritten?: string
}

/** Writes a reduced world to a file, whose name tells the whole world and its test. */
const keep = ({ reduced, report }: Small, whole: Script, folder: string, test: string): Kept => {
  const script = performedOf(report)?.script
  if (script === undefined) return {}
  const { scenario, seed, trace_hash, violations } = report
  const file = join(folder, runFileName(scenario, seed, hashOf(whole, test)))
  try {
    makeFolderSync(folder)
    replaceFile(file, writeRunFile(script, trace_hash, violations, reduced))
    return { file }
  } catch (error) {
    // What broke matters more than the file, as in a checkout that cannot be written to.
    return { unwritten: error instanceof Error ? error.message : String(error) }
  }
}

const again = (report: Report, file: string | undefined, isOwn: boolean): ReadonlyArray<string> => [
  "Run it again:",
  `  simulate({ seed: ${report.seed}, intents: ${report.intents} }), with the same other options`,
  ...(file === undefined || isOwn ? [] : [`  npx payport simulate replay ${shellArgument(file)}`]),
  ...(file === undefined || !isOwn
    ? []
    : [`  ${file} has its script; it breaks with the parts that the test puts in (alterations)`]),
]

const told = new WeakMap<Report, Failure>()

const tell = (
  report: Report,
  { folder = FOLDER, tries = TRIES }: TellOptions,
  test: string,
): Failure => {
  const performed = performedOf(report)
  const number = report.violations[0]?.number
  const canRun = performed !== undefined && !performed.isUsed && number !== undefined
  const small = canRun ? reduce(performed, number, tries) : undefined
  const { file, unwritten } =
    small === undefined || performed === undefined
      ? {}
      : keep(small, performed.script, folder, test)
  const broken = report.invariants.filter(({ violations }) => violations > 0).length
  const isOwn = Object.keys(performed?.alterations ?? {}).length > 0
  const message = [
    `The world ${report.scenario} with seed ${report.seed} does not hold: ${broken} of ` +
      `${report.invariants.length} invariants broke.`,
    ...foundIn(report),
    "",
    ...(small === undefined
      ? ["Its story cannot be told: what it was made of is not known here any more.", ""]
      : [...small.reduced, ...storyOf(small), ""]),
    ...again(report, file, isOwn),
    ...(unwritten === undefined ? [] : [`Its file could not be written: ${unwritten}.`]),
  ].join("\n")
  return { message, file }
}

/**
 * Describes a failing world: what broke, the story of a smaller world that fails in the same way,
 * and how to run it again. `test` is the name of the test that tells it. Undefined if every
 * invariant held.
 */
export const failureOf = (
  report: Report,
  options: TellOptions = {},
  test = "",
): Failure | undefined => {
  if (isSound(report)) return undefined
  const known = told.get(report) ?? tell(report, options, test)
  told.set(report, known)
  return known
}
