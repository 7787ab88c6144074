import { constants, getPriority, setPriority } from "node:os"
import { setFlagsFromString } from "node:v8"
import { parentPort, workerData } from "node:worker_threads"
import { simulate, type SimulateOptions } from "../../../simulator/perform.ts"
import { untraced } from "../../../simulator/untraced.ts"
import { LastStepBoard } from "./LastStep.ts"
import type { Told } from "./runSeeds.ts"

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

const watched = (memory: SharedArrayBuffer | null): Pick<SimulateOptions, "onStep"> => {
  if (memory === null) return {}
  const board = new LastStepBoard(memory)
  return { onStep: (note) => board.write(note) }
}

const { onStep } = watched(workerData as SharedArrayBuffer | null)

/** Runs one world after the other, as it is told to. */
parentPort?.on("message", (sent: SimulateOptions) => {
  const options = { ...sent, ...(onStep !== undefined && { onStep }) }
  const started = performance.now()
  const tell = (told: Told) => parentPort?.postMessage(told, [])
  tell({ type: "begins" })
  try {
    const report = untraced(() => simulate(options))
    tell({ type: "report", report, wall_ms: performance.now() - started })
  } catch (error) {
    const message = explain(options, error)
    const wall_ms = performance.now() - started
    tell({ type: "broken", seed: options.seed, how: "broke_down", message, wall_ms })
  }
})
