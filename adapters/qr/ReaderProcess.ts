import { type ChildProcess, fork } from "node:child_process"
import type { ReadImage } from "../../core/ports/QrReader.ts"
import { FairQueue, type QueueLimits } from "../shared/FairQueue.ts"
import type { Question, Word } from "./messages.ts"

/** The result of an image, or why there is none. */
export type Outcome =
  | Extract<Word, { type: "read" | "refused" }>
  | { readonly type: "busy" }
  | { readonly type: "too_slow" }
  | { readonly type: "crashed" }
  | { readonly type: "no_process"; readonly cause: unknown }

/** Times in milliseconds, and the most waiting images, in total and of one account. */
export interface ProcessLimits extends QueueLimits {
  readonly startWithin: number
  readonly readWithin: number
  readonly waitWithin: number
  readonly idleFor: number
}

interface Task {
  readonly base64: string
  readonly account: string
  readonly done: (outcome: Outcome) => void
  /** Ends the wait in the queue. */
  timer: NodeJS.Timeout | undefined
}

/** The program, as source or compiled like this file. */
const PROGRAM = import.meta.url.endsWith(".ts") ? "./program.ts" : "./program.js"

/** Starts the process without settings, secrets or anything to write to. */
const start = (): ChildProcess =>
  fork(new URL(PROGRAM, import.meta.url), [], {
    env: {},
    execArgv: ["--max-old-space-size=128"],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  })

/** Kills a process. Resolves when it has ended. */
const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    const isGone = child.exitCode !== null || child.signalCode !== null || child.pid === undefined
    if (isGone) return resolve()
    child.once("exit", () => resolve())
    child.kill("SIGKILL")
  })

/**
 * One process that reads images, one after another. Accounts take turns. The first image starts it.
 * It is ended if an image takes too long, and after some idle time. The next image starts another.
 */
export class ReaderProcess {
  readonly #limits: ProcessLimits
  readonly #waiting: FairQueue<Task>
  #state: "none" | "starting" | "ready" | "ending" = "none"
  #child: ChildProcess | undefined
  #current: Task | undefined
  #timer: NodeJS.Timeout | undefined
  #number = 0
  #decoded: ReadImage["format"] | undefined

  constructor(limits: ProcessLimits) {
    this.#limits = limits
    this.#waiting = new FairQueue(limits)
  }

  /** Whether a process is running. */
  get isRunning(): boolean {
    return this.#state !== "none"
  }

  /** Queues an image of an account. Returns the function that cancels it. */
  read(base64: string, account: string, done: (outcome: Outcome) => void): () => void {
    const task: Task = { base64, account, done, timer: undefined }
    if (!this.#waiting.add(account, task)) {
      done({ type: "busy" })
      return () => undefined
    }
    task.timer = setTimeout(() => this.#leave(task, { type: "busy" }), this.#limits.waitWithin)
    this.#next()
    return () => this.#leave(task, undefined)
  }

  /** Ends the process. Waiting images are answered as busy. */
  async close(): Promise<void> {
    this.#refuseAll({ type: "busy" })
    await this.#end({ type: "busy" })
  }

  #refuseAll(outcome: Outcome): void {
    for (let task = this.#waiting.next(); task !== undefined; task = this.#waiting.next()) {
      clearTimeout(task.timer)
      task.done(outcome)
    }
  }

  #leave(task: Task, outcome: Outcome | undefined): void {
    if (!this.#waiting.remove(task.account, task)) return
    clearTimeout(task.timer)
    if (outcome !== undefined) task.done(outcome)
  }

  #next(): void {
    if (this.#current !== undefined || this.#state === "starting" || this.#state === "ending") {
      return
    }
    if (this.#state === "none") return this.#waiting.size > 0 ? this.#start() : undefined
    const task = this.#waiting.next()
    if (task === undefined) {
      this.#after(this.#limits.idleFor, () => void this.#end())
      return
    }
    clearTimeout(task.timer)
    this.#current = task
    this.#after(this.#limits.readWithin, () => void this.#end(this.#tooSlow()))
    this.#number += 1
    this.#decoded = undefined
    // Bytes are copied to the process faster than a string of the same length.
    const base64 = Buffer.from(task.base64, "latin1")
    const question: Question = { number: this.#number, base64 }
    this.#child?.send(question)
  }

  /** Returns the outcome after the time limit: an image that was decoded has no codes. */
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
      this.#refuseAll({ type: "no_process", cause })
      void this.#end()
    }
    this.#after(this.#limits.startWithin, () => fail(new Error("The reader does not begin.")))
    this.#adopt(start(), fail)
  }

  #adopt(child: ChildProcess, fail: (cause: unknown) => void): void {
    child.unref()
    child.channel?.unref()
    this.#child = child
    const lost = (cause: unknown) => {
      if (this.#child !== child) return
      if (this.#state === "starting") fail(cause)
      else void this.#end({ type: "crashed" })
    }
    child.on("error", lost)
    child.on("exit", lost)
    child.on("message", (word: Word) => {
      if (this.#child !== child) return
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

  /** Ends the process and, once it has ended, starts with the next image, if there is one. */
  async #end(outcome: Outcome = { type: "crashed" }): Promise<void> {
    clearTimeout(this.#timer)
    const child = this.#child
    this.#child = undefined
    this.#state = "ending"
    this.#finish(outcome)
    if (child !== undefined) await end(child)
    this.#state = "none"
    this.#next()
  }
}
