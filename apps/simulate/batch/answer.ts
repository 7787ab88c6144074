import { parentPort, workerData } from "node:worker_threads"
import type { Alterations } from "../../../simulator/Alterations.ts"
import { simulate, type SimulateOptions } from "../../../simulator/perform.ts"
import { breaksAgain } from "../../../simulator/report/breaksAgain.ts"
import { Story } from "../../../simulator/report/Story.ts"
import { untraced } from "../../../simulator/untraced.ts"
import { LastStepBoard } from "./LastStep.ts"
import type { Done, SentOptions, SentTry, Told } from "./Thread.ts"

/** Runs a crashed world again with stack traces, and describes the error and its place. */
const explain = (options: SimulateOptions, first: unknown): string => {
  try {
    simulate(options)
    return String(first)
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
}

/** Writes a world's last step to shared memory, with the names of its story. */
const telling = (memory: SharedArrayBuffer | null): Pick<SimulateOptions, "onStep"> => {
  if (memory === null) return {}
  const board = new LastStepBoard(memory)
  // Names have numbers in the order of appearance, so every earlier step is told, too.
  const story = new Story()
  return { onStep: ({ at, what }) => board.write({ at, what: story.say(what) }) }
}

const play = (options: SimulateOptions): Done => {
  const started = performance.now()
  try {
    const report = untraced(() => simulate(options))
    return { type: "report", report, wall_ms: performance.now() - started }
  } catch (error) {
    const message = explain(options, error)
    const wall_ms = performance.now() - started
    return { type: "broken", seed: options.seed, how: "broke_down", message, wall_ms }
  }
}

/** Runs the tasks of this thread one after the other, with these alterations. */
export const answer = (alterations: Alterations = {}): void => {
  const memory = workerData as SharedArrayBuffer | null
  const tell = (told: Told) => parentPort?.postMessage(told, [])
  parentPort?.on("message", (sent: SentOptions | SentTry) => {
    tell({ type: "begins" })
    if ("breaks" in sent) {
      const fails = untraced(() => breaksAgain(sent.script, sent.breaks, { alterations }))
      tell({ type: "tried", fails })
    } else tell(play({ ...sent, ...telling(memory), alterations }))
  })
}
