import { type Result, Schema } from "effect"
import type { Violation } from "./auditor/Auditor.ts"
import { type Complaints, decodeStrictly } from "./scenarios/decodeStrictly.ts"
import { Script } from "./world/plans/Plan.ts"

/** What is written down of a failing run, so that it can be run again: all that decides it. */
export const RunFile = Schema.Struct({
  format: Schema.Literal("payport simulation 1"),
  /** What was found, in words; for people. */
  found: Schema.Array(
    Schema.Struct({ number: Schema.Int, name: Schema.String, finding: Schema.String }),
  ),
  /** How it was reduced, and what it needs to fail, in sentences; for people. */
  reduced: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The trace hash of the run, by which a changed program is noticed. */
  trace_hash: Schema.String,
  script: Script,
})
export type RunFile = typeof RunFile.Type

/** The text of a run's file. */
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

/** Reads such a file's content; fails with everything that is wrong with it. */
export const readRunFile = (input: unknown): Result.Result<RunFile, Complaints> =>
  decodeStrictly(RunFile, input)
