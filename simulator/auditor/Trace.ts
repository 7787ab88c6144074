import { createHash } from "node:crypto"
import type { Timestamp } from "../../core/shared/Timestamp.ts"

/** An event, in the words of the trace. */
export interface Note {
  readonly at: Timestamp
  readonly what: string
}

/** The length of text that is hashed at once, since each call of the hash is expensive. */
const CHUNK = 65_536

/** Everything that happened in a world, in order, as one hash; equal for equal runs. */
export class Trace {
  readonly #hash = createHash("sha256")
  readonly #now: () => Timestamp
  readonly #heard: ((note: Note) => void) | undefined
  #steps = 0
  #text = ""

  /** `heard` receives every note, in order. */
  constructor(now: () => Timestamp, heard?: (note: Note) => void) {
    this.#now = now
    this.#heard = heard
  }

  get steps(): number {
    return this.#steps
  }

  /** Adds an event that happens now. */
  note(what: string): void {
    this.#steps += 1
    this.#text += `${this.#now()} ${what}\n`
    if (this.#text.length > CHUNK) this.#digestText()
    this.#heard?.({ at: this.#now(), what })
  }

  /** Returns the lower-case hex SHA-256 of all notes. */
  digest(): string {
    this.#digestText()
    return this.#hash.copy().digest("hex")
  }

  #digestText(): void {
    this.#hash.update(this.#text)
    this.#text = ""
  }
}
