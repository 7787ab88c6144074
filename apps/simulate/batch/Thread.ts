import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import type { DrawOptions } from "../../../simulator/drawScript.ts"
import type { SimulateOptions } from "../../../simulator/perform.ts"
import type { Report } from "../../../simulator/Report.ts"
import type { Script } from "../../../simulator/world/plans/Plan.ts"
import { LastStepBoard } from "./LastStep.ts"
import type { Broken } from "./Totals.ts"
import { tooLong } from "./tooLong.ts"

/** The result of one world. */
export type Done =
  | { readonly type: "report"; readonly report: Report; readonly wall_ms: number }
  | ({ readonly type: "broken"; readonly wall_ms: number } & Broken)

/** The options of a world on another thread: only values that can be sent there. */
export type SentOptions = DrawOptions & Pick<SimulateOptions, "stop_at">

/** A script to try: the thread reports whether it breaks the invariant with that number. */
export interface SentTry {
  readonly script: Script
  readonly breaks: number
}

/** A message of a thread: that it begins, or the result of a world or a try. */
export type Told =
  | Done
  | { readonly type: "begins" }
  | { readonly type: "tried"; readonly fails: boolean }

/** The task did not end, and its worker is gone. */
interface Gone extends Omit<Broken, "seed"> {
  readonly type: "gone"
  readonly wall_ms: number
}

type Answer = Exclude<Told, { readonly type: "begins" }> | Gone

/** Starts a worker, given the memory for its last step. */
export type StartWorker = (memory: SharedArrayBuffer | null) => Worker

/**
 * How many milliseconds a dropped task may continue after its start. Most tasks end soon, and a new
 * worker would be slow at first; a task that never ends would block its thread.
 */
const FORGOTTEN = 1_000

/** Worlds make much short-lived garbage: a larger young generation is collected less often. */
const LIMITS = { maxYoungGenerationSizeMb: 96 }

const script = new URL(`worker${extname(import.meta.url)}`, import.meta.url)

export const startWorker: StartWorker = (memory) =>
  new Worker(script, { resourceLimits: LIMITS, workerData: memory })

/**
 * A thread that runs one task after the other. Its worker is started for the first task, and again
 * after it has died or was given up.
 */
export class Thread {
  readonly #world_timeout: number | undefined
  readonly #startWorker: StartWorker
  readonly #board = new LastStepBoard()
  #worker: Worker | undefined
  /** The running task, if any. */
  #now: { readonly giveUp: () => void; readonly forget: () => void } | undefined
  #isOver = false

  constructor(world_timeout: number | undefined, start: StartWorker) {
    this.#world_timeout = world_timeout
    this.#startWorker = start
  }

  /** Plays a world. */
  async play(world: SentOptions): Promise<Done> {
    const answer = await this.#ask(world)
    if (answer.type === "report" || answer.type === "broken") return answer
    if (answer.type === "tried") throw new Error("A thread has tried a script instead of a world.")
    const { how, message, wall_ms } = answer
    return { type: "broken", seed: world.seed, how, message, wall_ms }
  }

  /** Whether a script fails; a script that does not end does not fail. */
  async fails(sent: SentTry): Promise<boolean> {
    const answer = await this.#ask(sent)
    return answer.type === "tried" && answer.fails
  }

  /** Gives up the running task, if any, and ends its worker. */
  giveUp(): void {
    this.#now?.giveUp()
  }

  /** Gives up a task that is not needed any more, unless it ends soon. */
  forget(): void {
    this.#now?.forget()
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#worker?.terminate()
  }

  /** Rejects if a worker dies before it has begun, since another would die, too. */
  async #ask(sent: SentOptions | SentTry): Promise<Answer> {
    if (this.#isOver) throw new Error("A thread that has ended is asked for something.")
    const worker = (this.#worker ??= this.#start())
    const { promise, reject, resolve } = Promise.withResolvers<Answer>()
    const started = performance.now()
    const gone = (how: Broken["how"], message: string) => {
      if (this.#worker === worker) this.#worker = undefined
      resolve({ type: "gone", how, message, wall_ms: performance.now() - started })
    }
    const giveUp = (message: () => string) => {
      worker.off("exit", ended)
      void worker.terminate().then(() => gone("too_long", message()), reject)
    }
    let [hasBegun, isForgotten] = [false, false]
    let timer: NodeJS.Timeout | undefined
    const hear = (told: Told) => {
      if (told.type !== "begins") return resolve(told)
      hasBegun = true
      const seconds = this.#world_timeout
      if (isForgotten) giveUpSoon()
      if (isForgotten || seconds === undefined) return
      const message = () => tooLong(seconds, this.#board.read())
      timer = setTimeout(() => giveUp(message), seconds * 1_000)
    }
    let error: unknown
    const noteError = (thrown: unknown) => {
      error = thrown
    }
    // By now its messages from before its death have arrived, unlike at the error event.
    const ended = (code: number) => {
      const why = error instanceof Error ? error.message : `exit code ${code}`
      if (hasBegun && !this.#isOver) gone("broke_down", `Its thread has ended: ${why}`)
      else reject(new Error(`A thread that runs worlds has ended: ${why}`, { cause: error }))
    }
    const giveUpNow = () => giveUp(() => "Nobody needs it.")
    const giveUpSoon = () => {
      clearTimeout(timer)
      timer = setTimeout(giveUpNow, FORGOTTEN)
    }
    const forget = () => {
      if (hasBegun && !isForgotten) giveUpSoon()
      isForgotten = true
    }
    this.#now = { giveUp: giveUpNow, forget }
    worker.on("message", hear).on("error", noteError).on("exit", ended)
    this.#board.clear()
    worker.postMessage(sent, [])
    try {
      return await promise
    } finally {
      this.#now = undefined
      clearTimeout(timer)
      worker.off("message", hear).off("error", noteError).off("exit", ended)
    }
  }

  #start(): Worker {
    const worker = this.#startWorker(this.#world_timeout === undefined ? null : this.#board.memory)
    // Between worlds nobody else listens; a worker that ends then is replaced.
    worker.on("error", () => undefined)
    worker.once("exit", () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    return worker
  }
}
