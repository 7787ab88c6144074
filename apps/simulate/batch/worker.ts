import { constants, getPriority, setPriority } from "node:os"
import { setFlagsFromString } from "node:v8"
import { parentPort } from "node:worker_threads"
import { simulate, type SimulateOptions } from "../../../simulator/perform.ts"
import { untraced } from "../../../simulator/untraced.ts"
import type { Done } from "./runSeeds.ts"

/** What has broken, and where: the same world breaks again, this time with traces. */
const explain = (options: SimulateOptions, first: unknown): string => {
  try {
    simulate(options)
    return String(first)
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
}

// Many worlds are in no hurry: all else that the machine does goes first, where the system has it.
const { PRIORITY_BELOW_NORMAL } = constants.priority
if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)

// Threads keep the cores busy: helpers that collect their garbage cost more than they save.
setFlagsFromString("--no-parallel-scavenge")

/** Runs one world after the other, as it is told to. */
parentPort?.on("message", (options: SimulateOptions) => {
  const started = performance.now()
  const finish = (done: Done) => parentPort?.postMessage(done, [])
  try {
    const report = untraced(() => simulate(options))
    finish({ type: "report", report, wall_ms: performance.now() - started })
  } catch (error) {
    finish({ type: "broken", seed: options.seed, message: explain(options, error) })
  }
})
