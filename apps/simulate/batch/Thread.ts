import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import type { DrawOptions } from "../../../simulator/drawScript.ts"
import type { SimulateOptions } from "../../../simulator/perform.ts"
import type { Report } from "../../../simulator/Report.ts"
import type { Script } from "../../../simulator/world/plans/Plan.ts"
import { LastStepBoard } from "./LastStep.ts"
import type { Broken } from "./Totals.ts"
import { tooLong } from "./tooLong.ts"

/** What came of one world. */
export type Done =
  | { readonly type: "report"; readonly report: Report; readonly wall_ms: number }
  | ({ readonly type: "broken"; readonly wall_ms: number } & Broken)

/** What a world is run with by another thread: only what can be sent there. */
export type SentOptions = DrawOptions & Pick<SimulateOptions, "stop_at">

/** A script of which a thread is to say whether it breaks the invariant of that number. */
export interface SentTry {
  readonly script: Script
  readonly breaks: number
}

/** What a thread tells: that it begins, and what came of a world or of a try. */
export type Told =
  | Done
  | { readonly type: "begins" }
  | { readonly type: "tried"; readonly fails: boolean }

/** What was asked has come to no end, and the worker is gone. */
interface Gone extends Omit<Broken, "seed"> {
  readonly type: "gone"
  readonly wall_ms: number
}

type Answer = Exclude<Told, { readonly type: "begins" }> | Gone

/** Starts a worker, given the memory for its last step. */
export type StartWorker = (memory: SharedArrayBuffer | null) => Worker

/**
 * So many milliseconds what nobody needs any more may go on, from when it has begun. Most ends by
 * itself, and a new worker would be slow at first; what never ends would keep its thread.
 */
const FORGOTTEN = 1_000

/** Worlds are made of what is soon forgotten: more room for it means collecting it less often. */
const LIMITS = { maxYoungGenerationSizeMb: 96 }

const script = new URL(`worker${extname(import.meta.url)}`, import.meta.url)

export const startWorker: StartWorker = (memory) =>
  new Worker(script, { resourceLimits: LIMITS, workerData: memory })

/**
 * A thread that does one thing after the other. Its worker is started when there is something to
 * do, and anew where one has died or was given up.
 */
export class Thread {
  readonly #world_timeout: number | undefined
  readonly #startWorker: StartWorker
  readonly #board = new LastStepBoard()
  #worker: Worker | undefined
  /** What it does now, if anything. */
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

  /** Whether a script fails; one that comes to no end does not. */
  async fails(sent: SentTry): Promise<boolean> {
    const answer = await this.#ask(sent)
    return answer.type === "tried" && answer.fails
  }

  /** Gives up what it does, if anything, with the worker that is kept by it. */
  giveUp(): void {
    this.#now?.giveUp()
  }

  /** Gives up what nobody needs any more, unless it ends soon. */
  forget(): void {
    this.#now?.forget()
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#worker?.terminate()
  }

  /** Rejects where a worker dies that has not begun: another would die, too. */
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
    // What it has told before it died is heard by then, which is not so when its error comes.
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
    // Between worlds nobody else listens: another takes the place of one that ends then.
    worker.on("error", () => undefined)
    worker.once("exit", () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    return worker
  }
}
