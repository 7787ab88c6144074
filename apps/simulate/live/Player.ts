import { type MessagePort, receiveMessageOnPort } from "node:worker_threads"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import {
  BEGINNING,
  commanded,
  type Control,
  happened,
  type Happening,
  waitBetween,
} from "../../../simulator/live/Control.ts"
import { LiveWorld } from "../../../simulator/live/LiveWorld.ts"
import { perform } from "../../../simulator/perform.ts"
import { writeRunFile } from "../../../simulator/RunFile.ts"
import { untraced } from "../../../simulator/untraced.ts"
import type { Script } from "../../../simulator/world/plans/Plan.ts"
import type { Answer, Order, Question, Told } from "./messages.ts"

/** The shortest time between two frames, in milliseconds. */
const FRAME_EVERY = 100

const fileOf = (script: Script): string => {
  const { trace_hash, violations } = perform(script)
  return writeRunFile(script, trace_hash, violations)
}

/**
 * Plays a world and pauses it. A world runs synchronously, so a listener of its steps can hold it;
 * the world does not notice, and its hash stays the same.
 */
export class Player {
  readonly #script: Script
  readonly #port: MessagePort
  readonly #bell: Int32Array
  readonly #live: LiveWorld
  #control: Control = BEGINNING
  #heard = 0
  #at: Timestamp
  #now: () => Timestamp = () => this.#at
  #toldAt = 0
  #file: string | undefined

  constructor(script: Script, port: MessagePort, bell: SharedArrayBuffer) {
    this.#script = script
    this.#port = port
    this.#bell = new Int32Array(bell)
    this.#live = new LiveWorld(script)
    this.#at = script.start
  }

  /** Plays to the end, and then answers questions until it is ended; it never returns. */
  play(): never {
    const { trace_hash, violations } = untraced(() =>
      perform(this.#script, {
        onWorld: (world) => {
          this.#now = world.now
          this.#live.begin(world)
        },
        onStep: (note) => {
          this.#reach(note.at)
          if (this.#live.step(note) !== undefined) this.#happened({ type: "step" })
        },
        onFault: (strike) => {
          this.#reach(this.#now())
          this.#live.fault(strike)
          this.#happened({ type: "fault", fault: strike.fault })
        },
        onViolation: (violation) => {
          this.#reach(this.#now())
          this.#live.violation(violation)
          this.#happened({ type: "violation" })
        },
        onProgress: ({ done }) => (this.#live.done = done),
      }),
    )
    this.#file = writeRunFile(this.#script, trace_hash, violations)
    this.#live.phase = "ended"
    this.#control = commanded(this.#control, { type: "pause" })
    this.#show()
    for (;;) this.#listen(Infinity)
  }

  /** Waits until the world's time has come; does not wait while the world is prepared. */
  #reach(at: Timestamp): void {
    if (this.#live.phase !== "preparing") this.#wait(waitBetween(this.#control, this.#at, at))
    this.#at = at
  }

  #happened(happening: Happening): void {
    this.#control = happened(this.#control, happening)
    if (performance.now() - this.#toldAt >= FRAME_EVERY) this.#show()
    this.#listen(0)
    if (this.#control.plays) return
    this.#show()
    while (!this.#control.plays) {
      this.#listen(Infinity)
      this.#show()
    }
  }

  /** Waits so many real milliseconds, or less if a command says so. */
  #wait(millis: number): void {
    const until = performance.now() + millis
    if (millis > FRAME_EVERY) this.#show()
    for (let left = millis; left > 0.5; left = until - performance.now()) {
      const { speed } = this.#control
      if (this.#listen(left) && this.#control.speed !== speed) return
      if (!this.#control.plays || this.#control.goal.type !== "none") return
    }
  }

  /** Carries out commands that come within that time; returns whether there was any. */
  #listen(millis: number): boolean {
    if (millis > 0) Atomics.wait(this.#bell, 0, this.#heard, millis)
    const rung = Atomics.load(this.#bell, 0)
    if (rung === this.#heard) return false
    this.#heard = rung
    for (;;) {
      const received: { readonly message: Order } | undefined = receiveMessageOnPort(this.#port)
      if (received === undefined) return true
      this.#obey(received.message)
    }
  }

  #obey(order: Order): void {
    if (order.type === "command") {
      if (this.#live.phase !== "ended") this.#control = commanded(this.#control, order.command)
      return
    }
    const { ask, question } = order
    this.#tell({ type: "answer", ask, answer: this.#answer(question) })
  }

  #answer(question: Question): Answer {
    switch (question.type) {
      case "whole":
        return this.#live.frame(this.#control, true)
      case "story":
        return this.#live.story(question.payment) ?? { type: "unknown" }
      case "file":
        // A run's hash is only known at its end, so the same world is played in addition.
        this.#file ??= fileOf(this.#script)
        return { type: "file", text: this.#file }
    }
  }

  #show(): void {
    this.#toldAt = performance.now()
    this.#tell(this.#live.frame(this.#control))
  }

  #tell(told: Told): void {
    this.#port.postMessage(told, [])
  }
}
