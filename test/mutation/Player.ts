import { Worker } from "node:worker_threads"
import type { Wanted } from "./worlds.ts"

/** The data of a thread: the mutated files by URL, and the mutant that is always on. */
export interface Start {
  readonly sources: ReadonlyMap<string, string>
  readonly active: string | undefined
}

/** A world to be played, with a mutant on or with none but the thread's own. */
export interface Asked {
  readonly world: Wanted
  readonly mutant: string | undefined
}

/** The messages of a thread. */
export type Played =
  | { readonly type: "ready"; readonly covered: ReadonlyArray<string> }
  | { readonly type: "held"; readonly hash: string; readonly covered: ReadonlyArray<string> }
  | { readonly type: "broken"; readonly by: string }

/** The limit for a world: eleven payments take a fraction of a second, a year some seconds. */
const MOST_SECONDS = 60

const script = new URL("worker.ts", import.meta.url)

/** A thread in which worlds are played on a mutated core. */
export class Player {
  readonly #worker: Worker
  /** Its message after it has loaded the core. */
  readonly started: Promise<Played>
  isOver = false

  constructor(start: Start) {
    this.#worker = new Worker(script, {
      workerData: start,
      resourceLimits: { maxYoungGenerationSizeMb: 96 },
    })
    this.started = this.#answer()
  }

  play(asked: Asked): Promise<Played> {
    this.#worker.postMessage(asked, [])
    return this.#answer()
  }

  async end(): Promise<void> {
    this.isOver = true
    await this.#worker.terminate()
  }

  #answer(): Promise<Played> {
    const worker = this.#worker
    const { promise, resolve } = Promise.withResolvers<Played>()
    const over = (by: string) => {
      this.isOver = true
      resolve({ type: "broken", by })
    }
    const failed = (error: Error) => over(`the thread ended: ${error.message}`)
    const ended = () => over("the thread ended")
    const late = async () => {
      over(`a world does not end within ${MOST_SECONDS} s`)
      await this.end()
    }
    const timer = setTimeout(() => void late(), MOST_SECONDS * 1_000)
    worker.once("message", resolve).once("error", failed).once("exit", ended)
    return promise.finally(() => {
      clearTimeout(timer)
      worker.off("message", resolve).off("error", failed).off("exit", ended)
    })
  }
}
