import type { Reporter, TestCase } from "vitest/node"

/** The beginning of a line with a world's result. */
export const WORLD = "  world in the schema "

/** Says on stderr how each world went as soon as it is over. */
export class WorldByWorld implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (!test.module.moduleId.endsWith("orlds.contract.ts")) return
    const { errors = [], state } = test.result()
    const seconds = ((test.diagnostic()?.duration ?? 0) / 1_000).toFixed(1)
    const outcome = state === "passed" ? "keeps every promise" : `${state}: ${errors[0]?.message}`
    process.stderr.write(
      `${WORLD}${test.fullName.replace(" > ", ", ")}: ${outcome} (${seconds} s)\n`,
    )
  }
}
