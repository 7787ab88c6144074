import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import type { Report } from "../../../simulator/Report.ts"
import type { DrawOptions } from "../../../simulator/drawScript.ts"
import type { SimulateOptions } from "../../../simulator/perform.ts"
import { LastStepBoard } from "./LastStep.ts"
import type { Broken } from "./Totals.ts"
import { tooLong } from "./tooLong.ts"

/** What came of one world. */
export type Done =
  | { readonly type: "report"; readonly report: Report; readonly wall_ms: number }
  | ({ readonly type: "broken"; readonly wall_ms: number } & Broken)

/** What a thread tells: that a world begins, and what came of it. */
export type Told = Done | { readonly type: "begins" }

/** What a world is run with by another thread: only what can be sent there. */
export type SentOptions = DrawOptions & Pick<SimulateOptions, "stop_at">

/** Worlds are made of what is soon forgotten: more room for it means collecting it less often. */
const LIMITS = { maxYoungGenerationSizeMb: 96 }

const script = new URL(`worker${extname(import.meta.url)}`, import.meta.url)

/** Hears of each world as it ends; false where no other is to begin. */
export type Heard = (done: Done) => boolean

/** A thread that runs one world after the other; another takes its place when one does not end. */
class Thread {
  readonly #world_timeout: number | undefined
  readonly #board = new LastStepBoard()
  #worker: Worker

  constructor(world_timeout: number | undefined) {
    this.#world_timeout = world_timeout
    this.#worker = this.#start()
  }

  run(world: SentOptions): Promise<Done> {
    const worker = this.#worker
    const { promise, reject, resolve } = Promise.withResolvers<Done>()
    let timer: NodeJS.Timeout | undefined
    const hear = (told: Told) => {
      if (told.type !== "begins") return resolve(told)
      const seconds = this.#world_timeout
      if (seconds === undefined) return
      timer = setTimeout(() => resolve(this.#give(world, seconds)), seconds * 1_000)
    }
    const ended = () => reject(new Error("A thread that runs worlds has ended."))
    worker.on("message", hear).on("error", reject).on("exit", ended)
    this.#board.clear()
    worker.postMessage(world, [])
    return promise.finally(() => {
      clearTimeout(timer)
      worker.off("message", hear).off("error", reject).off("exit", ended)
    })
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #start(): Worker {
    const memory = this.#world_timeout === undefined ? null : this.#board.memory
    const worker = new Worker(script, { resourceLimits: LIMITS, workerData: memory })
    // Between worlds nobody listens: the next one that it is to run hears that it has ended.
    worker.on("error", () => undefined)
    return worker
  }

  /** Gives a world up, with the thread that it keeps. */
  async #give({ seed }: SentOptions, seconds: number): Promise<Done> {
    const worker = this.#worker
    this.#worker = this.#start()
    worker.removeAllListeners("exit")
    await worker.terminate()
    const message = tooLong(seconds, this.#board.read())
    return { type: "broken", seed, how: "too_long", message, wall_ms: seconds * 1_000 }
  }
}

/**
 * Threads that run worlds, each the same wherever it runs. What they have compiled for some worlds
 * they have for those that follow.
 */
export class Threads {
  readonly #threads: ReadonlyArray<Thread>

  /** A world that has not ended after `world_timeout` seconds is given up. */
  constructor(count: number, world_timeout?: number) {
    this.#threads = Array.from({ length: count }, () => new Thread(world_timeout))
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
  world_timeout?: number,
): Promise<void> => {
  const threads = new Threads(count, world_timeout)
  try {
    await threads.run(worlds, heard)
  } finally {
    await threads.end()
  }
}
