import { Failure } from "../../../core/shared/Failure.ts"
import type { ByteBudget } from "../../shared/readBody.ts"

/** How many bytes of large bodies a process holds at once: those of eight images. */
const MOST_BYTES = 96 * 1024 * 1024

const busy = () =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: "Too many large bodies are being read. Send it again in a moment.",
    retry_after: 1,
  })

/** The share of a budget that one request holds, from its body's first byte to its response. */
export interface HeldBytes extends ByteBudget {
  /** Releases all of it. */
  readonly release: () => void
}

/**
 * Limits the bytes of large bodies in memory. Only bytes that have arrived count, so that a caller
 * who announces much and sends little keeps nobody out.
 */
export class BodyBudget {
  readonly #most: number
  #held = 0

  constructor(most: number = MOST_BYTES) {
    this.#most = most
  }

  get held(): number {
    return this.#held
  }

  open(): HeldBytes {
    let own = 0
    return {
      take: (bytes) => {
        if (this.#held + bytes > this.#most) return busy()
        this.#held += bytes
        own += bytes
        return undefined
      },
      release: () => {
        this.#held -= own
        own = 0
      },
    }
  }
}
