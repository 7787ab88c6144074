import { parentPort } from "node:worker_threads"
import { simulate, type SimulateOptions } from "../../../simulator/simulate.ts"
import type { Done } from "./runSeeds.ts"

/** Runs one world after the other, as it is told to. */
parentPort?.on("message", (options: SimulateOptions) => {
  const started = performance.now()
  const finish = (done: Done) => parentPort?.postMessage(done, [])
  try {
    const report = simulate(options)
    finish({ type: "report", report, wall_ms: performance.now() - started })
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    finish({ type: "broken", seed: options.seed, message })
  }
})
