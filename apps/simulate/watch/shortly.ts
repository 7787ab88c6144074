import type { describeRun, describeTotals } from "../summary.ts"
import { worldAgain } from "../again.ts"
import type { ScenarioChoice } from "../scenarioOf.ts"
import type { Failed } from "../batch/Totals.ts"

/** What a run prints with `--json`: for one world, or for several. */
export type Printed = ReturnType<typeof describeRun> | ReturnType<typeof describeTotals>

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? text

const failedOf = (printed: Printed): ReadonlyArray<Omit<Failed, "intents">> => {
  if ("failed" in printed) return printed.failed
  const { seed, violations } = printed
  return violations.length === 0 ? [] : [{ seed, violations }]
}

/** Returns a run in a line, and two for each failed world; `wanted` is the scenario's name. */
export const shortly = (
  printed: Printed,
  wanted: string,
  choice?: Pick<ScenarioChoice, "library" | "set">,
): ReadonlyArray<string> => {
  const { intents, scenario, timings } = printed
  const seeds = "seeds" in printed ? printed.seeds : 1
  const broken = "broken" in printed ? printed.broken : []
  const failed = failedOf(printed)
  const flaws = failed.length + broken.length
  const again = (seed: number) =>
    `    ${worldAgain(wanted, seed, Math.round(intents / Math.max(seeds, 1)), choice)}`
  const outcome = flaws === 0 ? "every invariant held" : `${flaws} failed`
  const worlds = `${seeds + broken.length} ${seeds + broken.length === 1 ? "world" : "worlds"}`
  return [
    `${scenario}: ${outcome} in ${worlds}, ${(timings.wall_ms / 1_000).toFixed(1)} s`,
    ...failed.flatMap(({ seed, violations: [first] }) => [
      `  seed ${seed}, invariant ${first?.number}: ${first?.subject} ${first?.finding}`,
      again(seed),
    ]),
    ...broken.map(({ message, seed }) => `  seed ${seed}: ${firstLine(message)}`),
  ]
}
