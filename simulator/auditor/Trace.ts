import { createHash } from "node:crypto"
import type { Timestamp } from "../../core/shared/Timestamp.ts"

/** Everything that happened in a world, in order, as one hash: equal for equal runs. */
export class Trace {
  readonly #hash = createHash("sha256")
  readonly #now: () => Timestamp
  #steps = 0

  constructor(now: () => Timestamp) {
    this.#now = now
  }

  get steps(): number {
    return this.#steps
  }

  /** Adds what happened now. */
  note(what: string): void {
    this.#steps += 1
    this.#hash.update(`${this.#now()} ${what}\n`)
  }

  /** Lower-case hex SHA-256 of all that was noted. */
  digest(): string {
    return this.#hash.copy().digest("hex")
  }
}
