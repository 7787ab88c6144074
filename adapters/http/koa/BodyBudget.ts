import { Failure } from "../../../core/shared/Failure.ts"
import type { ByteBudget } from "../../shared/readBody.ts"

/** The most bytes of large bodies in a process: those of eight images. */
const MOST_BYTES = 96 * 1024 * 1024

/** The number of shares of a budget. An account may hold one share, which is two images. */
const SHARES = 4

const busy = () =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: "Too many large bodies are being read. Repeat the request in a moment.",
    retry_after: 1,
  })

/** The bytes of a budget that one request holds, from its body's first byte to its response. */
export interface HeldBytes extends ByteBudget {
  /** Releases all bytes of the request. */
  readonly release: () => void
}

/**
 * Limits the bytes of large bodies in memory. Only received bytes count, so that a caller who
 * announces much and sends little does not block others. An account with many large bodies is
 * refused before other accounts are.
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

  /** Opens the budget of a request of that account. */
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
