import { dirname, join } from "node:path"
import { makeFolderSync } from "../../adapters/shared/makeFolder.ts"
import type { Alterations } from "../../simulator/Alterations.ts"
import type { Violation } from "../../simulator/auditor/Auditor.ts"
import { drawScript } from "../../simulator/drawScript.ts"
import { BEGINNING } from "../../simulator/live/Control.ts"
import type { Line } from "../../simulator/live/Line.ts"
import { LiveWorld } from "../../simulator/live/LiveWorld.ts"
import { perform } from "../../simulator/perform.ts"
import { runFileName, writeRunFile } from "../../simulator/RunFile.ts"
import type { Scenario } from "../../simulator/scenarios/Scenario.ts"
import type { Shrinking, Shrunk } from "../../simulator/shrinking/Shrinker.ts"
import { faultsOn } from "../../simulator/shrinking/Thing.ts"
import { type Limits, tellShrunk } from "../../simulator/shrinking/tellShrunk.ts"
import type { Script } from "../../simulator/world/plans/Plan.ts"
import { replaceFile } from "../replaceFile.ts"
import type { Threads } from "./batch/runSeeds.ts"
import { shrinkOn } from "./batch/shrinkOn.ts"
import type { Failed, Totals } from "./batch/Totals.ts"
import type { RunOptions } from "./options.ts"
import { makeProgress } from "./progress.ts"

/** A reduced failing world, with the story up to the violation. */
export interface Reduced {
  readonly seed: number
  /** The first violation of the reduced world. */
  readonly violation: Violation
  readonly payments: number
  /** The faults that are on, with their values. */
  readonly faults: { readonly [fault: string]: number }
  /** After how many tries it ended, why, and what it needs; and the same in sentences. */
  readonly shrunk: Omit<Shrunk, "script">
  readonly told: ReadonlyArray<string>
  /** The story until then, of the affected payment if there is one. */
  readonly lines: ReadonlyArray<Line>
  /** The number of earlier lines that are left out. */
  readonly left_out: number
  /** The text of the run's file, and its path. */
  readonly text: string
  readonly file: string
  /** Why that file could not be written; undefined if it was. */
  readonly unwritten: string | undefined
}

/** The effort for reducing a seed. */
export interface Effort {
  readonly tries: number
  /** Real time, in seconds. */
  readonly seconds: number
}

/** The factor by which more tries or time are suggested. */
const MORE = 4

const limitsOf = ({ seconds, tries }: Effort): Limits => ({
  out_of_tries: `Its ${tries} tries are used up: --shrink-tries ${tries * MORE} gives it more.`,
  out_of_time: `Its ${seconds} s are over: --shrink-seconds ${seconds * MORE} gives it more.`,
})

/** Tells a world up to the violation: for the affected payment, otherwise for all. */
const tellUntil = (
  script: Script,
  number: number,
  alterations: Alterations = {},
): Pick<Reduced, "lines" | "left_out"> => {
  const live = new LiveWorld(script)
  let found: Line | undefined
  perform(script, {
    stop_at: [number],
    alterations,
    onWorld: (world) => live.begin(world),
    onStep: (note) => live.step(note),
    onFault: (strike) => live.fault(strike),
    onViolation: (violation) => {
      const line = live.violation(violation)
      if (violation.number === number) found ??= line
    },
  })
  const [about] = found?.payments ?? []
  const story = about === undefined ? undefined : live.story(about)
  const { lines } = story ?? live.frame(BEGINNING, true)
  const until = found?.n ?? Infinity
  const told = lines.filter(({ n }) => n <= until)
  const left_out = story?.left_out ?? (lines[0]?.n ?? 1) - 1
  return { lines: told, left_out }
}

/** Returns the violation of a failing seed that a reduction keeps. */
const firstOf = ({ seed, violations: [first] }: Failed): Violation => {
  if (first === undefined) throw new Error(`Seed ${seed} has broken nothing.`)
  return first
}

/** Where it is written, and its source. */
type Kept = Pick<RunOptions, "effort" | "failures"> & { readonly scenario: Scenario }

/** Writes a run's file. Returns why it could not be written; undefined if it was. */
const write = (file: string, text: string): string | undefined => {
  try {
    makeFolderSync(dirname(file))
    replaceFile(file, text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Tells a reduced failing seed, and writes it to a file if possible. */
export const keepReduced = (
  failed: Failed,
  { script, ...shrunk }: Shrunk,
  { effort, failures, scenario }: Kept,
  alterations: Alterations = {},
): Reduced => {
  const first = firstOf(failed)
  const { seed } = failed
  const told = tellShrunk({ script, ...shrunk }, limitsOf(effort))
  const report = perform(script, { alterations })
  const file = join(failures, runFileName(scenario.name, seed))
  const text = writeRunFile(script, report.trace_hash, report.violations, told)
  return {
    seed,
    violation: report.violations.find(({ number }) => number === first.number) ?? first,
    payments: script.payments.length,
    faults: Object.fromEntries(faultsOn(script).map((name) => [name, script.faults[name] ?? 0])),
    shrunk,
    told,
    ...tellUntil(script, first.number, alterations),
    text,
    file,
    unwritten: write(file, text),
  }
}

/** Reduces a failing seed on these threads. */
const reduce = (
  failed: Failed,
  { effort, scenario }: Kept,
  threads: Threads,
  onTry: (now: Shrinking) => void,
  signal: AbortSignal,
): Promise<Shrunk> => {
  const { intents, seed } = failed
  const until = performance.now() + effort.seconds * 1_000
  const isTimeUp = () => performance.now() >= until
  const script = drawScript({ seed, intents, scenario })
  const sent = { script, breaks: firstOf(failed).number }
  return shrinkOn(threads, sent, { tries: effort.tries, isTimeUp, onTry, signal })
}

/** How many failing seeds are reduced and written to files. */
const WRITTEN = 3

/**
 * Reduces failing seeds and writes them to files. An interrupt writes the current reduction as it
 * is, and starts no other; a second one ends the program.
 */
export const writeFailures = async (
  { failed }: Totals,
  kept: Kept,
  threads: Threads,
): Promise<ReadonlyArray<Reduced>> => {
  const progress = makeProgress(1, "seeds", (text) => process.stderr.write(text))
  const interrupt = new AbortController()
  const { signal } = interrupt
  const stop = () => {
    interrupt.abort()
    progress.say("Interrupted. What is smallest by now is written down. ")
  }
  process.once("SIGINT", stop)
  const reduced: Array<Reduced> = []
  // In the order of their seeds, since threads end worlds in any order.
  for (const one of failed.toSorted((a, b) => a.seed - b.seed).slice(0, WRITTEN)) {
    if (signal.aborted) break
    const onTry = ({ faults, payments, tries }: Shrinking) =>
      progress.say(`seed ${one.seed}: try ${tries}, ${payments} payments, ${faults} faults   `)
    reduced.push(keepReduced(one, await reduce(one, kept, threads, onTry, signal), kept))
  }
  process.off("SIGINT", stop)
  progress.end()
  return reduced
}
