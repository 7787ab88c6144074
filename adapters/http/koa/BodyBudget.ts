import { Failure } from "../../../core/shared/Failure.ts"
import type { ByteBudget } from "../../shared/readBody.ts"

/** So many bytes of large bodies a process holds at once: those of eight images. */
const MOST_BYTES = 96 * 1024 * 1024

const busy = () =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: "Too many large bodies are being read. Send it again in a moment.",
    retry_after: 1,
  })

/** What a request holds of a budget, from the first byte of its body to its answer. */
export interface HeldBytes extends ByteBudget {
  /** Gives everything back. */
  readonly release: () => void
}

/**
 * How many bytes of large bodies are held at once. Only bytes that have come count, so that whoever
 * announces much and sends little keeps nobody out.
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
