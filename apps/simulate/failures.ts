import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Alterations } from "../../simulator/Alterations.ts"
import type { Violation } from "../../simulator/auditor/Auditor.ts"
import { drawScript } from "../../simulator/drawScript.ts"
import { BEGINNING } from "../../simulator/live/Control.ts"
import type { Line } from "../../simulator/live/Line.ts"
import { LiveWorld } from "../../simulator/live/LiveWorld.ts"
import { parts } from "../../simulator/parts.ts"
import { perform } from "../../simulator/perform.ts"
import { breaksAgain } from "../../simulator/report/breaksAgain.ts"
import { writeRunFile } from "../../simulator/RunFile.ts"
import type { Scenario } from "../../simulator/scenarios/Scenario.ts"
import { shrink, type Shrinking } from "../../simulator/shrink.ts"
import type { Script } from "../../simulator/world/plans/Plan.ts"
import type { Failed } from "./batch/Totals.ts"

/** A failing world as it was reduced, with the story that leads to what broke. */
export interface Reduced {
  readonly seed: number
  /** What broke first, in the reduced world. */
  readonly violation: Violation
  readonly payments: number
  /** The faults that are on, with how likely or how large they are. */
  readonly faults: { readonly [fault: string]: number }
  /** What happened until then, to the payment that it is about where there is one. */
  readonly lines: ReadonlyArray<Line>
  /** How many lines were before these. */
  readonly left_out: number
  /** The text of the run's file, and where it was written. */
  readonly text: string
  readonly file: string
}

/** Reducing a seed takes so many milliseconds of real time at the most. */
const PATIENCE = 60_000

/** Tells a world until an invariant breaks: of the payment that it is about, or else of all. */
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

/** Reduces a failing seed and writes it to a file. */
export const reduce = (
  { intents, seed, violations }: Failed,
  scenario: Scenario,
  folder: string,
  onTry: (now: Shrinking) => void,
  alterations: Alterations = {},
): Reduced => {
  const [first] = violations
  if (first === undefined) throw new Error(`Seed ${seed} has broken nothing.`)
  const { number } = first
  const until = performance.now() + PATIENCE
  const script = shrink(
    drawScript({ seed, intents, scenario }),
    parts.map(({ name }) => name),
    (smaller) => performance.now() < until && breaksAgain(smaller, number, { alterations }),
    { onTry },
  )
  const report = perform(script, { alterations })
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `simulation-${scenario.name}-${seed}.json`)
  const text = writeRunFile(script, report.trace_hash, report.violations)
  writeFileSync(file, text)
  const on = Object.entries(script.faults).filter(([, size]) => size > 0)
  return {
    seed,
    violation: report.violations.find((violation) => violation.number === number) ?? first,
    payments: script.payments.length,
    faults: Object.fromEntries(on),
    ...tellUntil(script, number, alterations),
    text,
    file,
  }
}
