import { Failure } from "../../../core/shared/Failure.ts"
import type { ByteBudget } from "../../shared/readBody.ts"

/** How many bytes of large bodies a process holds at once: those of eight images. */
const MOST_BYTES = 96 * 1024 * 1024

/** In how many shares a budget is divided; an account may hold one, which are two images. */
const SHARES = 4

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
 * who announces much and sends little keeps nobody out. An account with many large bodies is
 * refused before the others are.
 */
export class BodyBudget {
  readonly #most: number
  readonly #mostOfOne: number
  readonly #byAccount = new Map<string, number>()
  #held = 0

  constructor(most: number = MOST_BYTES, shares: number = SHARES) {
    this.#most = most
    this.#mostOfOne = most / shares
  }

  get held(): number {
    return this.#held
  }

  /** Opens the share of a request of that account. */
  open(account_id: string): HeldBytes {
    let own = 0
    const change = (bytes: number) => {
      const ofAccount = (this.#byAccount.get(account_id) ?? 0) + bytes
      if (ofAccount === 0) this.#byAccount.delete(account_id)
      else this.#byAccount.set(account_id, ofAccount)
      this.#held += bytes
      own += bytes
    }
    return {
      take: (bytes) => {
        const ofAccount = (this.#byAccount.get(account_id) ?? 0) + bytes
        if (this.#held + bytes > this.#most || ofAccount > this.#mostOfOne) return busy()
        change(bytes)
        return undefined
      },
      release: () => change(-own),
    }
  }
}
