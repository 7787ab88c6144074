import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import type { Watcher } from "../../../adapters/pages/console/world/LiveWorlds.ts"
import type { Command } from "../../../simulator/live/Control.ts"
import type { Answer, Begin, Order, Question, Told } from "./messages.ts"

const script = new URL(`worker${extname(import.meta.url)}`, import.meta.url)

/** Why a world sends no more messages. */
export type Ending = "ended" | "too_long" | "unwatched" | "broken"

/** One world in its own thread, until it is ended. */
export class LiveThread {
  readonly #worker: Worker
  readonly #bell = new SharedArrayBuffer(4)
  readonly #watchers = new Set<Watcher>()
  readonly #asked = new Map<number, (answer: Answer | undefined) => void>()
  readonly #gone: () => void
  #asks = 0
  /** How many people watch, or are about to. */
  #coming = 0
  #unwatched: NodeJS.Timeout | undefined
  readonly #tooLong: NodeJS.Timeout
  readonly #patience: number
  #ending: Ending = "broken"

  /** `patience` is how long it plays while nobody watches; `gone` is called at its end. */
  constructor(
    begin: Omit<Begin, "bell">,
    limits: { readonly life: number; readonly patience: number; readonly megabytes: number },
    gone: () => void,
  ) {
    this.#gone = gone
    this.#patience = limits.patience
    this.#worker = new Worker(script, {
      workerData: { ...begin, bell: this.#bell } satisfies Begin,
      resourceLimits: { maxOldGenerationSizeMb: limits.megabytes, maxYoungGenerationSizeMb: 32 },
    })
    this.#worker.on("message", (told: Told) => this.#hear(told))
    // The thread ends after an error.
    this.#worker.on("error", () => undefined)
    this.#worker.on("exit", () => this.#exited())
    // The thread must not keep the process alive.
    this.#worker.unref()
    this.#tooLong = setTimeout(() => void this.end("too_long"), limits.life).unref()
    this.#leaveAlone()
  }

  /** Sends a command to the world. */
  command(command: Command): void {
    this.#order({ type: "command", command })
  }

  /** Asks the world a question; returns undefined if it ends before it answers. */
  ask(question: Question): Promise<Answer | undefined> {
    const ask = (this.#asks += 1)
    return new Promise((resolve) => {
      this.#asked.set(ask, resolve)
      this.#order({ type: "ask", ask, question })
    })
  }

  /** Sends the whole state, and then the changes; returns how to stop watching. */
  watch(watcher: Watcher): () => void {
    clearTimeout(this.#unwatched)
    let leaves = false
    void this.ask({ type: "whole" }).then((whole) => {
      if (leaves) return
      if (whole === undefined) return watcher.ended(this.#ending)
      watcher.hear(JSON.stringify(whole))
      this.#watchers.add(watcher)
    })
    this.#coming += 1
    return () => {
      if (leaves) return
      leaves = true
      this.#coming -= 1
      this.#watchers.delete(watcher)
      this.#leaveAlone()
    }
  }

  async end(ending: Ending): Promise<void> {
    this.#ending = ending
    await this.#worker.terminate()
  }

  /** Ends the world after a while if nobody watches it then. */
  #leaveAlone(): void {
    clearTimeout(this.#unwatched)
    if (this.#coming > 0) return
    this.#unwatched = setTimeout(() => void this.end("unwatched"), this.#patience).unref()
  }

  #order(order: Order): void {
    this.#worker.postMessage(order, [])
    const bell = new Int32Array(this.#bell)
    Atomics.add(bell, 0, 1)
    Atomics.notify(bell, 0)
  }

  #hear(told: Told): void {
    if (told.type === "answer") {
      this.#asked.get(told.ask)?.(told.answer)
      this.#asked.delete(told.ask)
      return
    }
    const json = JSON.stringify(told)
    for (const watcher of this.#watchers) watcher.hear(json)
  }

  #exited(): void {
    clearTimeout(this.#unwatched)
    clearTimeout(this.#tooLong)
    for (const watcher of this.#watchers) watcher.ended(this.#ending)
    for (const answer of this.#asked.values()) answer(undefined)
    this.#watchers.clear()
    this.#asked.clear()
    this.#gone()
  }
}
