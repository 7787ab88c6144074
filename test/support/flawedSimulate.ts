import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import { readOptions } from "../../apps/simulate/options.ts"
import { run } from "../../apps/simulate/run.ts"

const thread = new URL(`flawedWorker${extname(import.meta.url)}`, import.meta.url)

// Runs `payport simulate` on threads whose stores lose every event, so that its worlds fail.
const options = readOptions(process.argv.slice(2))
if (options.type !== "run") throw new Error("Only worlds are played with a flaw.")
process.exitCode = await run(options, (memory) => new Worker(thread, { workerData: memory }))
