import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import type { Report } from "../../../simulator/Report.ts"
import type { SimulateOptions } from "../../../simulator/perform.ts"

/** What came of one world. */
export type Done =
  | { readonly type: "report"; readonly report: Report; readonly wall_ms: number }
  | { readonly type: "broken"; readonly seed: number; readonly message: string }

/** What a world is run with by another thread: only what can be sent there. */
export type SentOptions = Omit<SimulateOptions, "alterations" | "onProgress" | "onStep">

/** Worlds are made of what is soon forgotten: more room for it means collecting it less often. */
const LIMITS = { maxYoungGenerationSizeMb: 96 }

const script = new URL(`worker${extname(import.meta.url)}`, import.meta.url)

/**
 * Runs worlds on several threads, and hears of each as it ends, in any order. Each world is the
 * same wherever it runs. Ends early when `heard` returns false.
 */
export const runSeeds = async (
  worlds: Iterable<SentOptions>,
  threads: number,
  heard: (done: Done) => boolean,
): Promise<void> => {
  const next = worlds[Symbol.iterator]()
  let goesOn = true
  const runThread = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(script, { resourceLimits: LIMITS })
      const feed = () => {
        const world: IteratorResult<SentOptions, unknown> | undefined = goesOn
          ? next.next()
          : undefined
        if (world === undefined || world.done === true) void worker.terminate()
        else worker.postMessage(world.value, [])
      }
      worker.on("message", (done: Done) => {
        goesOn = heard(done) && goesOn
        feed()
      })
      worker.on("error", reject)
      worker.on("exit", () => resolve())
      feed()
    })
  await Promise.all(Array.from({ length: threads }, runThread))
}
