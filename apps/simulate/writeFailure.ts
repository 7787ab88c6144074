import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { drawScript } from "../../simulator/drawScript.ts"
import { parts } from "../../simulator/parts.ts"
import { perform } from "../../simulator/perform.ts"
import { writeRunFile } from "../../simulator/RunFile.ts"
import type { Scenario } from "../../simulator/scenarios/Scenario.ts"
import { shrink } from "../../simulator/shrink.ts"
import type { Script } from "../../simulator/world/plans/Plan.ts"
import type { Failed } from "./batch/Totals.ts"

const numbersOf = (script: Script, stop_at: ReadonlyArray<number>): ReadonlySet<number> =>
  new Set(perform(script, { stop_at }).violations.map(({ number }) => number))

/** Reducing a seed takes so many milliseconds of real time at the most. */
const PATIENCE = 60_000

/** Whether a smaller script breaks the same invariant; a world that breaks down does not count. */
const breaksAgain = (script: Script, number: number): boolean => {
  try {
    return numbersOf(script, [number]).has(number)
  } catch {
    return false
  }
}

/** Reduces a failing seed and writes it to a file, whose name it returns. */
export const writeFailure = (
  { intents, seed, violations }: Failed,
  scenario: Scenario,
  folder: string,
  tell: (text: string) => void,
): string => {
  const number = violations[0]?.number ?? 0
  const until = performance.now() + PATIENCE
  const script = shrink(
    drawScript({ seed, intents, scenario }),
    parts.map(({ name }) => name),
    (smaller) => performance.now() < until && breaksAgain(smaller, number),
    {
      onTry: ({ faults, payments, tries }) =>
        tell(`seed ${seed}: try ${tries}, ${payments} payments, ${faults} faults   `),
    },
  )
  const report = perform(script)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `simulation-${scenario.name}-${seed}.json`)
  writeFileSync(file, writeRunFile(script, report.trace_hash, report.violations))
  return file
}
