import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import type { Report } from "../../../simulator/Report.ts"
import type { DrawOptions } from "../../../simulator/drawScript.ts"
import type { SimulateOptions } from "../../../simulator/perform.ts"

/** What came of one world. */
export type Done =
  | { readonly type: "report"; readonly report: Report; readonly wall_ms: number }
  | { readonly type: "broken"; readonly seed: number; readonly message: string }

/** What a world is run with by another thread: only what can be sent there. */
export type SentOptions = DrawOptions & Pick<SimulateOptions, "stop_at">

/** Worlds are made of what is soon forgotten: more room for it means collecting it less often. */
const LIMITS = { maxYoungGenerationSizeMb: 96 }

const script = new URL(`worker${extname(import.meta.url)}`, import.meta.url)

/** Hears of each world as it ends; false where no other is to begin. */
export type Heard = (done: Done) => boolean

/** A thread that runs one world after the other. */
class Thread {
  readonly #worker = new Worker(script, { resourceLimits: LIMITS })
  readonly #ended = new Promise<never>((_, reject) => {
    this.#worker.once("error", reject)
    this.#worker.once("exit", () => reject(new Error("A thread that runs worlds has ended.")))
  })

  constructor() {
    // Whoever runs a world hears of it; between worlds nobody listens.
    this.#ended.catch(() => undefined)
  }

  run(world: SentOptions): Promise<Done> {
    const done = new Promise<Done>((resolve) => this.#worker.once("message", resolve))
    this.#worker.postMessage(world, [])
    return Promise.race([done, this.#ended])
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}

/**
 * Threads that run worlds, each the same wherever it runs. What they have compiled for some worlds
 * they have for those that follow.
 */
export class Threads {
  readonly #threads: ReadonlyArray<Thread>

  constructor(count: number) {
    this.#threads = Array.from({ length: count }, () => new Thread())
  }

  /** Runs worlds and hears of each as it ends, in any order. */
  async run(worlds: Iterable<SentOptions>, heard: Heard): Promise<void> {
    const next = worlds[Symbol.iterator]()
    let goesOn = true
    const work = async (thread: Thread) => {
      while (goesOn) {
        const world: IteratorResult<SentOptions, unknown> = next.next()
        if (world.done === true) return
        const done = await thread.run(world.value)
        goesOn = heard(done) && goesOn
      }
    }
    await Promise.all(this.#threads.map(work))
  }

  async end(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()))
  }
}

/** Runs worlds on several threads, which end when all is done or `heard` returns false. */
export const runSeeds = async (
  worlds: Iterable<SentOptions>,
  count: number,
  heard: Heard,
): Promise<void> => {
  const threads = new Threads(count)
  try {
    await threads.run(worlds, heard)
  } finally {
    await threads.end()
  }
}
