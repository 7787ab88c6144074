import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Job, Outcome } from "../../apps/bench/load/Job.ts"

const program = fileURLToPath(import.meta.resolve("./load/main.ts"))

/** Puts load on the service from a process of its own; rejects when any answer was wrong. */
export const runLoad = (job: Job): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] })
    let said = ""
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8")
    })
    child.once("error", reject)
    child.once("close", (code) => {
      if (code !== 0) return reject(new Error(`The load ended with ${code}.`))
      const outcome = JSON.parse(said) as Outcome
      if (outcome.errors === 0) return resolve(outcome)
      const examples = outcome.examples.join("\n")
      reject(new Error(`${outcome.errors} answers were not what they had to be:\n${examples}`))
    })
    child.stdin.end(JSON.stringify(job))
  })
