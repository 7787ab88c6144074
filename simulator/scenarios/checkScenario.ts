import { Result } from "effect"
import { complaintOf, decodeStrictly } from "./decodeStrictly.ts"
import { flawsOf } from "./flawsOf.ts"
import { endlessIn } from "./nesting.ts"
import { Scenario } from "./Scenario.ts"

/** Drops what a program has left undefined, which a file cannot contain. */
const written = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(written)
  if (typeof value !== "object" || value === null) return value
  const said = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(said.map(([name, each]) => [name, written(each)]))
}

const mistakesIn = (scenario: Scenario, payments: number): ReadonlyArray<string> => {
  const endless = endlessIn(scenario)
  if (endless !== undefined) return [complaintOf(endless)]
  const read = decodeStrictly(Scenario, written(scenario))
  if (Result.isFailure(read)) return read.failure
  const { payments: most } = Scenario.fields
  const counted = decodeStrictly(most, payments)
  if (Result.isFailure(counted)) return counted.failure.map((wrong) => `intents: ${wrong}`)
  return flawsOf(scenario, payments).map(complaintOf)
}

/**
 * Holds a scenario of a program to what a scenario of a file is held to. Throws `RangeError` with
 * every mistake.
 */
export const checkScenario = (scenario: Scenario, payments: number): void => {
  const mistakes = mistakesIn(scenario, payments)
  if (mistakes.length === 0) return
  throw new RangeError(`The scenario cannot be played:\n${mistakes.join("\n")}`)
}
