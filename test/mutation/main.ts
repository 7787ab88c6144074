import { availableParallelism } from "node:os"
import { explain, OptionError, parseOptions, whole } from "../support/commandLine.ts"
import { judgeByTests } from "./judgeByTests.ts"
import { judgeByWorlds } from "./judgeByWorlds.ts"
import { KEPT, keepScore, readScore, regressionOf } from "./keptScore.ts"
import { describeMutant, type Mutant, sampled } from "./Mutant.ts"
import { mutateCore } from "./mutateCore.ts"
import { type Judged, reportOf, scoreOf, type Verdict } from "./Verdict.ts"
import { worldsOf } from "./worlds.ts"

const HELP = `Usage: npm run mutants -- [options]

Breaks the core in one place after the other, plays simulated worlds on each broken one, and says
which were noticed. The same code gives the same mutants and the same worlds. What makes the
mutants comes by npm into node_modules/.payport-mutation (23 MB) where it is not there yet.

  --sample N    how many mutants, drawn alike from all of the core (60)
  --skip N      leaves out the first so many of the draw, for which rules may have been written (0)
  --whole       every mutant of the core: for some nights
  --only PATH   of files whose path begins so, such as core/refunds (core/)
  --worlds N    the worlds of eleven payments that each may be noticed in (24)
  --threads N   how many threads play worlds (as many as there are cores)
  --tests       has the tests of core and HTTP judge what worlds miss, up to some minutes each
  --keep        writes the score to test/mutation/${KEPT}, below which the same sample may not fall
  --json        prints one JSON object instead of the report
  --help        this text

It ends with 1 where the score of that sample is lower than the one that is kept.
`

const OPTIONS = {
  sample: { type: "string", default: "60" },
  skip: { type: "string", default: "0" },
  whole: { type: "boolean", default: false },
  only: { type: "string", default: "core/" },
  worlds: { type: "string", default: "24" },
  threads: { type: "string", default: String(availableParallelism()) },
  tests: { type: "boolean", default: false },
  keep: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const

const say = (text: string): void => void process.stderr.write(`${text}\n`)

const told = (verdict: Verdict): string => {
  switch (verdict.type) {
    case "noticed":
      return `noticed in ${verdict.world}: ${verdict.by}`
    case "survived":
      return verdict.differs ? "not noticed" : "makes no difference"
    case "unreached":
      return "no world comes by it"
  }
}

/** Says how far a part of the run is, and how long the rest takes by what came since the first. */
const progress = (count: number) => {
  let done = 0
  let first = 0
  return (mutant: Mutant, what: string) => {
    done += 1
    if (done === 1) first = performance.now()
    const each = done === 1 ? 0 : (performance.now() - first) / (done - 1) / 60_000
    const left = each === 0 ? "" : `, ${(each * (count - done)).toFixed(1)} min left`
    say(`${done} of ${count}${left}  ${describeMutant(mutant)}: ${what}`)
  }
}

const run = async () => {
  const given = parseOptions(process.argv.slice(2), OPTIONS)
  if (given.help) return void process.stdout.write(HELP)
  const threads = whole("threads", given.threads, 1, 64)
  const worlds = worldsOf(whole("worlds", given.worlds, 1, 100_000))
  const count = given.whole ? Infinity : whole("sample", given.sample, 1, 1_000_000)
  const skip = whole("skip", given.skip, 0, 1_000_000)
  if (skip > 0 && given.keep) throw new OptionError("--keep: a score is kept without --skip.")
  const core = await mutateCore(given.only)
  if (core.mutants.length === 0) {
    throw new OptionError(`--only: nothing of the core begins with ${given.only}.`)
  }
  const mutants = sampled(core.mutants, count, skip)
  say(`${mutants.length} of the ${core.mutants.length} mutants of ${given.only}`)

  const verdicts = new Map<Mutant, Verdict>()
  const seen = progress(mutants.length)
  await judgeByWorlds(core, mutants, worlds, threads, (mutant, verdict) => {
    verdicts.set(mutant, verdict)
    seen(mutant, told(verdict))
  })
  const tested = new Map<Mutant, string | null>()
  const missed = mutants.filter((mutant) => verdicts.get(mutant)?.type !== "noticed")
  if (given.tests && missed.length > 0) {
    const heard = progress(missed.length)
    await judgeByTests(core, missed, (mutant, noticedBy) => {
      tested.set(mutant, noticedBy ?? null)
      heard(mutant, noticedBy === undefined ? "no test notices" : `noticed by ${noticedBy}`)
    })
  }
  const judged = [...verdicts].map(([mutant, verdict]): Judged => {
    return { mutant, worlds: verdict, tests: tested.get(mutant) }
  })
  const score = scoreOf(judged)
  const sample = { only: given.only, worlds: worlds.length }
  const regression = skip > 0 ? undefined : regressionOf(await readScore(), sample, score)
  if (given.json) process.stdout.write(`${JSON.stringify({ ...sample, score, judged })}\n`)
  else process.stdout.write(`${reportOf(judged).join("\n")}\n`)
  if (given.keep) await keepScore(sample, score)
  else if (regression !== undefined) {
    say(`\n${regression}`)
    process.exitCode = 1
  }
}

try {
  await run()
} catch (error) {
  process.stderr.write(`\nThe mutants were not judged: ${explain(error)}\n`)
  process.exitCode = 1
}
