import { isSound } from "../../simulator/Report.ts"
import { simulate } from "../../simulator/simulate.ts"
import { BadOptions, type Options, readOptions, USAGE } from "./options.ts"
import { makeProgress } from "./progress.ts"
import { replayCommand, type Run, summaryJson, summaryText } from "./summary.ts"

/** Runs one seed; a world that breaks down says which one it was. */
const runSeed = (...[options]: Parameters<typeof simulate>): Run => {
  const started = performance.now()
  try {
    const report = simulate(options)
    return { report, wall_ms: performance.now() - started }
  } catch (cause) {
    throw new Error(
      `Seed ${options.seed} broke down. Run it again with ${replayCommand(options)}`,
      {
        cause,
      },
    )
  }
}

const run = (options: Options): number => {
  const { seed: first, seeds, intents } = options
  const progress = makeProgress(seeds * intents, (text) => process.stderr.write(text))
  const runs: Array<Run> = []
  for (let seed = first; seed < first + seeds; seed += 1) {
    const made = runSeed({ seed, intents, onProgress: (now) => progress.tell(seed, now) })
    runs.push(made)
    progress.add(intents)
    if (options.json && !isSound(made.report)) {
      process.stderr.write(`\nSeed ${seed} broke an invariant: ${replayCommand(made.report)}\n`)
    }
  }
  progress.end()
  process.stdout.write(options.json ? summaryJson(options, runs) : summaryText(runs))
  return runs.every(({ report }) => isSound(report)) ? 0 : 1
}

const main = (): number => {
  try {
    const options = readOptions(process.argv.slice(2))
    if (options !== undefined) return run(options)
    process.stdout.write(USAGE)
    return 0
  } catch (error) {
    if (!(error instanceof BadOptions)) throw error
    process.stderr.write(`${error.message}\n\n${USAGE}`)
    return 2
  }
}

process.exitCode = main()
