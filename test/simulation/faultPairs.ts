import { availableParallelism } from "node:os"
import { runSeeds } from "../../apps/simulate/batch/runSeeds.ts"
import {
  type FaultName,
  FAULTS,
  type Faults,
  NO_FAULTS,
  WORST,
} from "../../simulator/faults/Faults.ts"
import { clockFaults } from "../../simulator/faults/serviceFaults.ts"

/** Two faults that a world has at their worst, and no others. */
type Pair = readonly [FaultName, FaultName]

/** The number of seeds reserved for each pair. */
const BAND = 1_000

const INTENTS = 4

const names = Object.keys(FAULTS) as ReadonlyArray<FaultName>

/** Every two faults, in the order of the table. */
const PAIRS: ReadonlyArray<Pair> = names.flatMap((one, n) =>
  names.slice(n + 1).map((other) => [one, other] as const),
)

/** A small sample in which each fault occurs once: the first with the middle one, and so on. */
export const SAMPLE: ReadonlyArray<Pair> = names
  .slice(0, Math.ceil(names.length / 2))
  .map((one, n) => [one, names[n + Math.floor(names.length / 2)] ?? one] as const)

/** Only the two faults, with a slow store, which decides how requests interleave. */
const faultsOf = (pair: Pair): Faults => ({
  ...NO_FAULTS,
  store_latency_ms: WORST.store_latency_ms,
  ...(pair.some((name) => name in clockFaults) && { clock_unwatched: 1 }),
  ...Object.fromEntries(pair.map((name) => [name, WORST[name]])),
})

/** Returns so many worlds of each pair. */
export const worldsOf = (pairs: ReadonlyArray<Pair>, seeds: number) =>
  pairs.flatMap((pair) => {
    const first = PAIRS.findIndex(([one, other]) => one === pair[0] && other === pair[1]) * BAND
    const faults = faultsOf(pair)
    return Array.from({ length: seeds }, (_, n) => ({ seed: first + n, intents: INTENTS, faults }))
  })

/** Returns the pair to which a seed belongs. */
const pairAt = (seed: number): string => (PAIRS[Math.floor(seed / BAND)] ?? []).join(" and ")

/** Plays worlds on several threads, and prints each unsound one with its pair and seed. */
const playPairs = async (
  pairs: ReadonlyArray<Pair>,
  seeds: number,
  threads: number,
  tell: (what: string) => void,
): Promise<void> => {
  await runSeeds(worldsOf(pairs, seeds), threads, (done) => {
    if (done.type === "broken") tell(`${pairAt(done.seed)}, seed ${done.seed}: ${done.message}`)
    else {
      const { seed, violations } = done.report
      const numbers = [...new Set(violations.map((violation) => violation.number))]
      if (numbers.length > 0) tell(`${pairAt(seed)}, seed ${seed}: broke ${numbers.join(", ")}`)
    }
    return true
  })
}

const main = async ([seeds = "200", ...wanted]: ReadonlyArray<string>): Promise<void> => {
  const pairs = PAIRS.filter((pair) => wanted.every((name) => pair.some((one) => one === name)))
  let failures = 0
  await playPairs(pairs, Math.min(Number(seeds), BAND), availableParallelism(), (what) => {
    failures += 1
    process.stdout.write(`${what}\n`)
  })
  process.stdout.write(`${pairs.length} pairs of faults, ${failures} worlds that are not sound\n`)
  process.exitCode = failures === 0 ? 0 : 1
}

// `node test/simulation/faultPairs.ts [seeds of each pair] [fault] [fault]`, for a night.
if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2))
