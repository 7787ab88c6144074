import { chosen, explain, parseOptions, whole } from "../support/commandLine.ts"
import { check, checkMutant, modelsOf } from "./check.ts"
import { type Exploration, QUICK, WHOLE } from "./explorations.ts"
import type { Broken } from "./explore.ts"
import { installQuint } from "./installQuint.ts"
import { MUTANTS } from "./mutants.ts"
import { sampled } from "./sample.ts"
import { playTraced } from "./traces/playTraced.ts"

const PARTS = ["models", "mutants", "samples", "traces"] as const

const HELP = `Usage: npm run twin -- [options]

Holds the formal models of the lifecycles, of a commit and of two races against their rules, and
worlds of the simulator against the models. Quint comes by npm into node_modules/.payport-twin
(44 MB) where it is not there yet.

  --quick       a few explorations, every mutant and two worlds, for each change
  --only A,B    parts (all): models, mutants, samples, traces
  --seeds N     worlds whose steps the models make, too (40; 2 when quick)
  --first N     the first of their seeds (1)
  --intents N   payments in each (6; 2 when quick)
  --help        this text

It exits with 1 where a rule is broken, a mutant is not refuted, or a store and its model differ.
`

const say = (text: string): void => void process.stdout.write(`${text}\n`)
let failures = 0
const fail = (text: string): void => {
  failures += 1
  say(`FAILED: ${text}`)
}

const told = ({ rules, state, way }: Broken): string =>
  [rules.join(", "), ...way.map((step) => `  ${step}`), `  then: ${state}`].join("\n")

const exploreAll = async (quint: string, explorations: ReadonlyArray<Exploration>) => {
  const models = modelsOf(quint)
  for (const exploration of explorations) {
    const { broken, depth, moves, states } = await check(models, exploration)
    const name = `${exploration.model} ${exploration.starts}`
    if (broken !== undefined) fail(`${name}: ${told(broken)}`)
    else say(`${name}: all ${states} states and ${moves} moves, ${depth} deep`)
  }
}

const refuteAll = async (quint: string) => {
  for (const mutant of MUTANTS) {
    const { broken, states } = await checkMutant(quint, mutant)
    if (broken?.rules.includes(mutant.refuted_by) !== true) fail(`not refuted: ${mutant.name}`)
    else say(`refuted in ${states} states, by ${broken.way.length} steps: ${mutant.name}`)
  }
}

interface Worlds {
  readonly first: number
  readonly seeds: number
  readonly intents: number
}

const trace = async (quint: string, { first, intents, seeds }: Worlds) => {
  const model = await modelsOf(quint)("Trace")
  let [commits, refusals, moves] = [0, 0, 0]
  for (let seed = first; seed < first + seeds; seed += 1) {
    const world = playTraced(model, seed, intents)
    commits += world.commits
    refusals += world.refusals
    moves += world.moves
    for (const found of world.found.slice(0, 5)) fail(`seed ${seed}: ${found}`)
  }
  const made = `${commits} commits (${refusals} refused) and ${moves} moves`
  say(`${seeds} worlds of ${intents} payments: ${made} by the store and by the model`)
}

const run = async () => {
  const given = parseOptions(process.argv.slice(2), {
    quick: { type: "boolean", default: false },
    only: { type: "string", default: PARTS.join(",") },
    seeds: { type: "string" },
    first: { type: "string", default: "1" },
    intents: { type: "string" },
    help: { type: "boolean", default: false },
  })
  if (given.help) return void process.stdout.write(HELP)
  const { quick } = given
  const only = chosen(PARTS, given.only)
  const worlds = {
    first: whole("first", given.first, 0, 999_999),
    seeds: whole("seeds", given.seeds ?? (quick ? "2" : "40"), 1, 100_000),
    intents: whole("intents", given.intents ?? (quick ? "2" : "6"), 1, 1_000),
  }
  const quint = await installQuint()
  if (only.has("models")) await exploreAll(quint, quick ? QUICK : WHOLE)
  if (only.has("mutants")) await refuteAll(quint)
  if (only.has("samples") && !quick) for (const line of await sampled(quint, fail)) say(line)
  if (only.has("traces")) await trace(quint, worlds)
  if (failures > 0) process.exitCode = 1
}

try {
  await run()
} catch (error) {
  process.stderr.write(`\nThe models were not checked: ${explain(error)}\n`)
  process.exitCode = 1
}
