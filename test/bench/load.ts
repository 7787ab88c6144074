import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Job, Outcome } from "../../apps/bench/load/Job.ts"
import type { ExchangeJob, ExchangeOutcome } from "./exchange/Exchange.ts"
import type { LivesJob, LivesOutcome } from "./life/Lives.ts"

const LOAD = fileURLToPath(import.meta.resolve("./load/main.ts"))
const EXCHANGES = fileURLToPath(import.meta.resolve("./exchange/load.ts"))
const LIVES = fileURLToPath(import.meta.resolve("./life/main.ts"))

/** Runs a program with its job as JSON, and returns its result. */
const runProgram = (program: string, job: object): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] })
    let said = ""
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8")
    })
    child.once("error", reject)
    child.once("close", (code) => {
      if (code !== 0) return reject(new Error(`The load ended with ${code}.`))
      resolve(JSON.parse(said))
    })
    child.stdin.end(JSON.stringify(job))
  })

/** Puts load on the service from another process. Rejects if any answer was wrong. */
export const runLoad = async (job: Job): Promise<Outcome> => {
  const outcome = (await runProgram(LOAD, job)) as Outcome
  if (outcome.errors === 0) return outcome
  const examples = outcome.examples.join("\n")
  throw new Error(`${outcome.errors} answers were not what they had to be:\n${examples}`)
}

/** Plays the lives of payments from another process. Rejects if any answer was wrong. */
export const runLives = async (job: LivesJob): Promise<LivesOutcome> => {
  const outcome = (await runProgram(LIVES, job)) as LivesOutcome
  if (outcome.flaw === undefined) return outcome
  throw new Error(outcome.flaw)
}

/** Pays 402s from another process. Rejects if any answer was wrong. */
export const runExchanges = async (job: ExchangeJob): Promise<ExchangeOutcome> => {
  const outcome = (await runProgram(EXCHANGES, job)) as ExchangeOutcome
  if (outcome.flaw === undefined) return outcome
  throw new Error(outcome.flaw)
}
