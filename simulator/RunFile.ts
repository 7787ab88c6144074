import { type Result, Schema } from "effect"
import { line } from "../core/shared/Text.ts"
import type { Violation } from "./auditor/Auditor.ts"
import { type Complaints, decodeStrictly } from "./scenarios/decodeStrictly.ts"
import { Script } from "./world/plans/Plan.ts"

/** The file of a failing run, with everything that is needed to run it again. */
export const RunFile = Schema.Struct({
  format: Schema.Literal("payport simulation 1"),
  /** The violations, in words, for people. */
  found: Schema.Array(
    Schema.Struct({ number: Schema.Int, name: Schema.String, finding: Schema.String }),
  ),
  /** How the run was reduced and what it needs to fail, in sentences, for people. */
  reduced: Schema.optionalKey(Schema.Array(line(2_000))),
  /** The trace hash of the run, which shows whether the program has changed. */
  trace_hash: Schema.String,
  script: Script,
})
export type RunFile = typeof RunFile.Type

/** How much of a scenario's name is in the name of a file, which file systems limit. */
const NAMED = 80

/**
 * Returns the name of a run's file. `more` tells it from other runs of the scenario and the seed.
 * Whatever the scenario is called, the name leads to no other folder.
 */
export const runFileName = (scenario: string, seed: number, ...more: ReadonlyArray<string>) => {
  const named = scenario.replaceAll(/[^\w-]/g, "_").slice(0, NAMED)
  return `simulation-${[named, seed, ...more].join("-")}.json`
}

/** Returns the text of a run's file. */
export const writeRunFile = (
  script: Script,
  trace_hash: string,
  violations: ReadonlyArray<Violation>,
  reduced: ReadonlyArray<string> = [],
): string => {
  const found = violations
    .slice(0, 10)
    .map(({ finding, name, number }) => ({ number, name, finding }))
  const file: RunFile = {
    format: "payport simulation 1",
    found,
    ...(reduced.length > 0 && { reduced }),
    trace_hash,
    script,
  }
  return `${JSON.stringify(file, null, 2)}\n`
}

/** Reads the content of such a file; fails with everything that is wrong with it. */
export const readRunFile = (input: unknown): Result.Result<RunFile, Complaints> =>
  decodeStrictly(RunFile, input)
