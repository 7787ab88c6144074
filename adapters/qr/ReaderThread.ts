import { Worker } from "node:worker_threads"
import type { ReadImage } from "../../core/ports/QrReader.ts"
import type { Question, Word } from "./messages.ts"

/** What comes of an image: the thread's word, or why there is none. */
export type Outcome =
  | Extract<Word, { type: "read" | "refused" }>
  | { readonly type: "busy" }
  | { readonly type: "too_slow" }
  | { readonly type: "crashed" }
  | { readonly type: "no_thread"; readonly cause: unknown }

/** Times in milliseconds, and how many images may wait. */
export interface ThreadLimits {
  readonly startWithin: number
  readonly readWithin: number
  readonly waitWithin: number
  readonly idleFor: number
  readonly mostWaiting: number
}

interface Task {
  readonly base64: string
  readonly done: (outcome: Outcome) => void
  /** Ends the wait in the queue. */
  timer: NodeJS.Timeout | undefined
}

/** What a thread may keep on its own heap; pictures and the reader's memory are outside of it. */
const HEAP = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }

/** The thread's program, as source or compiled, as this file is. */
const PROGRAM = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js"

const startWorker = async (): Promise<Worker> => {
  // The library has to stay loaded in the process while threads that use it come and go.
  await import("sharp")
  return new Worker(new URL(PROGRAM, import.meta.url), { resourceLimits: HEAP })
}

/**
 * One thread that reads images, one after another. It is started by the first image, ended when it
 * takes too long over one, and ended when it has had nothing to do for a while; the next image
 * starts another.
 */
export class ReaderThread {
  readonly #limits: ThreadLimits
  readonly #waiting: Array<Task> = []
  #state: "none" | "starting" | "ready" | "ending" = "none"
  #worker: Worker | undefined
  #current: Task | undefined
  #timer: NodeJS.Timeout | undefined
  #number = 0
  #decoded: ReadImage["format"] | undefined

  constructor(limits: ThreadLimits) {
    this.#limits = limits
  }

  /** Whether a thread is there. */
  get isRunning(): boolean {
    return this.#state !== "none"
  }

  /** Queues an image; returns the way to give it up. */
  read(base64: string, done: (outcome: Outcome) => void): () => void {
    const task: Task = { base64, done, timer: undefined }
    if (this.#waiting.length >= this.#limits.mostWaiting) {
      done({ type: "busy" })
      return () => undefined
    }
    this.#waiting.push(task)
    task.timer = setTimeout(() => this.#leave(task, { type: "busy" }), this.#limits.waitWithin)
    this.#next()
    return () => this.#leave(task, undefined)
  }

  /** Ends the thread. Whoever waits is told that it is busy. */
  async close(): Promise<void> {
    for (const task of this.#waiting.slice()) this.#leave(task, { type: "busy" })
    await this.#end({ type: "busy" })
  }

  #leave(task: Task, outcome: Outcome | undefined): void {
    const place = this.#waiting.indexOf(task)
    if (place < 0) return
    this.#waiting.splice(place, 1)
    clearTimeout(task.timer)
    if (outcome !== undefined) task.done(outcome)
  }

  #next(): void {
    if (this.#current !== undefined || this.#state === "starting" || this.#state === "ending") {
      return
    }
    const [task] = this.#waiting
    if (task === undefined) {
      if (this.#state === "ready") this.#after(this.#limits.idleFor, () => void this.#end())
      return
    }
    if (this.#state === "none") return this.#start()
    this.#leave(task, undefined)
    this.#current = task
    this.#after(this.#limits.readWithin, () => void this.#end(this.#tooSlow()))
    this.#number += 1
    this.#decoded = undefined
    const question: Question = { number: this.#number, base64: task.base64 }
    this.#worker?.postMessage(question)
  }

  /** An image that was decoded in time and shows no code in time has none. */
  #tooSlow(): Outcome {
    const format = this.#decoded
    return format === undefined
      ? { type: "too_slow" }
      : { type: "read", number: this.#number, image: { format, codes: [] } }
  }

  #after(delay: number, act: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(act, delay).unref()
  }

  #start(): void {
    this.#state = "starting"
    const fail = (cause: unknown) => {
      for (const task of this.#waiting.slice()) this.#leave(task, { type: "no_thread", cause })
      void this.#end()
    }
    this.#after(this.#limits.startWithin, () => fail(new Error("The thread does not begin.")))
    void startWorker().then((worker) => this.#adopt(worker, fail), fail)
  }

  #adopt(worker: Worker, fail: (cause: unknown) => void): void {
    if (this.#state !== "starting") {
      void worker.terminate()
      return
    }
    worker.unref()
    this.#worker = worker
    const lost = (cause: unknown) => {
      if (this.#worker !== worker) return
      if (this.#state === "starting") fail(cause)
      else void this.#end({ type: "crashed" })
    }
    worker.on("error", lost)
    worker.on("exit", lost)
    worker.on("message", (word: Word) => {
      if (this.#worker !== worker) return
      if (word.type === "ready") this.#state = "ready"
      else if (word.number !== this.#number) return
      else if (word.type === "decoded") this.#decoded = word.format
      else this.#finish(word)
      this.#next()
    })
  }

  #finish(outcome: Outcome): void {
    clearTimeout(this.#timer)
    const task = this.#current
    this.#current = undefined
    task?.done(outcome)
  }

  /** Ends the thread and begins with the next image, if there is one, once it is gone. */
  async #end(outcome: Outcome = { type: "crashed" }): Promise<void> {
    clearTimeout(this.#timer)
    const worker = this.#worker
    this.#worker = undefined
    this.#state = "ending"
    this.#finish(outcome)
    await worker?.terminate()
    this.#state = "none"
    this.#next()
  }
}
