import { expect } from "vitest"
import { type Grader } from "../../../apps/grade/Grader.ts"
import type { Judged } from "../../../apps/grade/report/Report.ts"

/** Grades a subject in this process, as the command would. */
export const gradeAs = async (
  grader: Grader,
  ...args: ReadonlyArray<string>
): Promise<ReadonlyArray<Judged>> => {
  const prepared = grader.read([...args, "--seed", "of-the-tests"])
  if (prepared === undefined) throw new Error("It asked for help.")
  const { checks, cut_off } = await prepared.grade(() => undefined, new AbortController().signal)
  expect(cut_off).toBe(false)
  return checks
}

/** The names of checks that came to this. */
export const namesOf = (checks: ReadonlyArray<Judged>, outcome: Judged["verdict"]["outcome"]) =>
  checks.filter(({ verdict }) => verdict.outcome === outcome).map(({ id }) => id)
