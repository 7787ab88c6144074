import type { Tally, Violation } from "../../simulator/auditor/Auditor.ts"
import type { TestCase, TestOutcome, TestSuite } from "../reports/TestSuite.ts"
import type { Totals, World } from "./batch/Totals.ts"

/** The names for the tests of a run, and the command that runs a world again. */
export interface Played {
  /** The file of the scenario, if it comes from one. */
  readonly file?: string
  readonly again: (seed: number) => string
}

/** Formats a violation in a line. */
const violationLine = ({ at, finding, name, number, subject }: Violation): string =>
  `invariant ${number} (${name}), at ${at}: ${subject} ${finding}`

/** How many violations of a world are listed. */
const TOLD = 10

const worldOutcome = (
  { seed, violations: count }: World,
  totals: Totals,
  again: string,
): TestOutcome => {
  const broken = totals.broken.find((world) => world.seed === seed)
  if (broken !== undefined) {
    const { message } = broken
    const [line = message] = message.split("\n", 1)
    return { type: "error", line, text: `${message}\n\nRun it again with\n  ${again}` }
  }
  if (count === 0) return { type: "passed" }
  const known = totals.failed.find((world) => world.seed === seed)?.violations ?? []
  const told = known.slice(0, TOLD)
  const left = count - told.length
  const lines = [...told.map(violationLine), ...(left > 0 ? [`and ${left} more violations`] : [])]
  const text = `${lines.join("\n")}\n\nRun it again with\n  ${again}`
  return { type: "failed", line: lines[0] ?? `${count} violations`, text }
}

const worldCase = (world: World, totals: Totals, { again }: Played): TestCase => ({
  group: `payport.simulate.${totals.scenario}`,
  name: `seed ${world.seed}`,
  duration_ms: world.wall_ms,
  outcome: worldOutcome(world, totals, again(world.seed)),
})

const tallyOutcome = ({ checks, number, violations }: Tally, totals: Totals): TestOutcome => {
  if (violations === 0) {
    return checks > 0 ? { type: "passed" } : { type: "skipped", line: "Nothing was there to judge" }
  }
  const seeds = totals.failed.flatMap((world) =>
    world.violations.some((violation) => violation.number === number) ? [world.seed] : [],
  )
  const line = `${violations} of ${checks} checks did not hold`
  const where = seeds.length === 0 ? "" : `, in the worlds of the seeds ${seeds.join(", ")}`
  return { type: "failed", line, text: `${line}${where}` }
}

const tallyCase = (tally: Tally, totals: Totals): TestCase => ({
  group: "payport.simulate.invariants",
  name: `${tally.number}: ${tally.name} (${tally.section})`,
  duration_ms: 0,
  outcome: tallyOutcome(tally, totals),
})

/** Returns a run as test suites: its worlds by seed, and the invariants over all of them. */
export const suitesOf = (totals: Totals, played: Played): ReadonlyArray<TestSuite> => {
  const { intents, operations, scenario, worlds } = totals
  const file = played.file === undefined ? {} : { file: played.file }
  const properties = { scenario, payments: String(intents), requests: String(operations) }
  const cases = worlds
    .toSorted((a, b) => a.seed - b.seed)
    .map((world) => worldCase(world, totals, played))
  return [
    { name: `payport simulate ${scenario}`, properties, cases, ...file },
    {
      name: `payport simulate ${scenario}: invariants`,
      properties: {},
      cases: totals.invariants.map((tally) => tallyCase(tally, totals)),
      ...file,
    },
  ]
}
