import { writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import type { Report } from "../../simulator/Report.ts"
import { flawOfLoad, LONGEST_LOAD } from "../../simulator/scenarios/limits.ts"
import { loadOf } from "../../simulator/scenarios/loadOf.ts"
import type { Scenario } from "../../simulator/scenarios/Scenario.ts"
import { BadOptions } from "../commandLine.ts"
import { simulate } from "../../simulator/perform.ts"
import { writeMachineReports } from "../reports/machineReports.ts"
import { callWith, worldAgain } from "./again.ts"
import { counting } from "./batch/counting.ts"
import { Threads } from "./batch/runSeeds.ts"
import type { Done, SentOptions, StartWorker } from "./batch/Thread.ts"
import { Totals } from "./batch/Totals.ts"
import { writeFailures } from "./failures.ts"
import type { RunOptions } from "./options.ts"
import { makeProgress } from "./progress.ts"
import { page } from "./page/page.ts"
import { isScenarioFile, scenarioOf } from "./scenarioOf.ts"
import { suitesOf } from "./suitesOf.ts"
import { hasParent } from "./watch/endWithParent.ts"
import { describeReduced, describeRun, describeTotals, summaryText } from "./summary.ts"

const warn = (text: string): boolean => process.stderr.write(text)

/** Runs one world on this thread; the progress counts its payments. */
const runOne = (world: SentOptions, totals: Totals): Report | undefined => {
  const total = world.intents ?? world.scenario?.payments ?? 0
  const progress = makeProgress(total, "payments", warn)
  const started = performance.now()
  const wall_ms = () => performance.now() - started
  try {
    const report = simulate({ ...world, onProgress: ({ done }) => progress.tell(done) })
    totals.add(report, wall_ms())
    return report
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    totals.addBroken({ seed: world.seed, how: "broke_down", message, wall_ms: wall_ms() })
    return undefined
  } finally {
    progress.end()
  }
}

/**
 * Runs many worlds on several threads; returns true if all were run. An interrupt lets running
 * worlds end and begins no more; a second one ends the program.
 */
const runMany = async (
  worlds: (n: number) => SentOptions,
  { bail, seeds }: RunOptions,
  threads: Threads,
  totals: Totals,
  keep: (report: Report) => void,
): Promise<boolean> => {
  const progress = makeProgress(seeds, "seeds", warn)
  let goesOn = true
  const stop = () => {
    goesOn = false
    progress.say("Interrupted. The worlds under way are played to their end. ")
  }
  process.once("SIGINT", stop)
  const all = (function* () {
    for (let n = 0; n < seeds; n += 1) yield worlds(n)
  })()
  const count = counting(totals, bail)
  const heard = (done: Done) => {
    if (done.type === "report") keep(done.report)
    const isEnough = !count(done)
    if (isEnough && goesOn) {
      progress.say("A seed has failed. The worlds under way are played to their end. ")
    }
    if (isEnough) goesOn = false
    if (goesOn) progress.tell(totals.worlds.length)
    return goesOn
  }
  await threads.run(all, heard)
  process.off("SIGINT", stop)
  progress.end()
  return goesOn
}

/** The exit code of a shell for an interrupted program. */
const INTERRUPTED = 130

/** Nothing has failed, but a world was given up. */
const GIVEN_UP = 3

const exitCodeOf = ({ broken, failed }: Totals, wasWhole: boolean): number => {
  if (failed.length > 0 || broken.some(({ how }) => how === "broke_down")) return 1
  if (broken.length > 0) return GIVEN_UP
  return wasWhole ? 0 : INTERRUPTED
}

/** Throws `BadOptions` if so many payments would take too long. */
const checkIntents = (scenario: Scenario, intents = scenario.payments): void => {
  const flaw = flawOfLoad(intents, loadOf(scenario, intents), LONGEST_LOAD.mean)
  if (flaw !== undefined) throw new BadOptions(`--intents ${intents}: ${flaw}.`)
}

/** Runs the options on these threads and prints the results. Returns the exit code. */
const runOn = async (options: RunOptions, threads: Threads): Promise<number> => {
  const { scenario } = scenarioOf(options)
  checkIntents(scenario, options.intents)
  const totals = new Totals(scenario.name)
  const world = (n: number): SentOptions => ({
    seed: options.seed + n,
    scenario,
    ...(options.intents !== undefined && { intents: options.intents }),
  })
  const started = performance.now()
  // A world on this thread would not let it hear that its parent has ended.
  const isAlone = options.seeds === 1 && options.world_timeout === undefined && !hasParent()
  let last = isAlone ? runOne(world(0), totals) : undefined
  const wasWhole =
    isAlone || (await runMany(world, options, threads, totals, (report) => (last = report)))
  const only = options.seeds === 1 ? last : undefined
  const wall_ms = performance.now() - started
  const reduced = await writeFailures(totals, { ...options, scenario }, threads)
  const replay = (file: string) => callWith("replay", file)
  for (const { file, seed, told, unwritten } of reduced) {
    warn(
      unwritten === undefined
        ? `Seed ${seed} was written down. Follow it with ${replay(file)}\n`
        : `Seed ${seed} could not be written to ${file}: ${unwritten}\n`,
    )
    warn(told.map((line) => `  ${line}\n`).join(""))
  }
  const wanted = options.scenario ?? scenario.name
  const intents = options.intents ?? scenario.payments
  const again = (seed: number) => worldAgain(wanted, seed, intents, options)
  if (options.report !== undefined) {
    const shown = { reduced, again: { world: again, replay } }
    writeFileSync(options.report, page(totals, scenario, wall_ms, shown))
  }
  const told = options.json
    ? JSON.stringify({
        ...(only ? describeRun(only, wall_ms) : describeTotals(options, totals, wall_ms)),
        reduced: reduced.map(describeReduced),
      })
    : summaryText(totals, again, wall_ms)
  process.stdout.write(`${told}\n`)
  const file = isScenarioFile(wanted) ? { file: wanted } : {}
  writeMachineReports(suitesOf(totals, { again, ...file }), options.machines)
  return exitCodeOf(totals, wasWhole)
}

/** Does the same, on new threads. */
export const run = async (options: RunOptions, start?: StartWorker): Promise<number> => {
  const count = options.threads ?? availableParallelism()
  const threads = new Threads(count, options.world_timeout, start)
  try {
    return await runOn(options, threads)
  } finally {
    await threads.end()
  }
}
