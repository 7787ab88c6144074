import type { Note } from "../../../simulator/auditor/Trace.ts"

/** Bytes before the text: the step's time, its number, the length of its text. */
const HEAD = 16
const MOST = 2_000

/** The last step of a world, in words. */
export interface LastStep extends Note {
  /** Its number, from 1. */
  readonly n: number
}

/**
 * The last step of a world, in memory that its thread shares. A spinning thread answers nobody, and
 * its last step can still be read after the thread has ended.
 */
export class LastStepBoard {
  readonly memory: SharedArrayBuffer
  readonly #at: Float64Array
  readonly #numbers: Int32Array
  readonly #text: Uint8Array
  readonly #encoder = new TextEncoder()

  constructor(memory = new SharedArrayBuffer(HEAD + MOST)) {
    this.memory = memory
    this.#at = new Float64Array(memory, 0, 1)
    this.#numbers = new Int32Array(memory, 8, 2)
    this.#text = new Uint8Array(memory, HEAD)
  }

  /** Forgets the previous world. */
  clear(): void {
    this.#numbers.fill(0)
  }

  write({ at, what }: Note): void {
    const { written } = this.#encoder.encodeInto(what, this.#text)
    this.#at[0] = at
    this.#numbers[0] = (this.#numbers[0] ?? 0) + 1
    this.#numbers[1] = written
  }

  /** Returns the last step; undefined before the first. */
  read(): LastStep | undefined {
    const [n = 0, length = 0] = this.#numbers
    if (n === 0) return undefined
    const what = new TextDecoder().decode(this.#text.slice(0, length))
    return { n, at: this.#at[0] ?? 0, what }
  }
}
