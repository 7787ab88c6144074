/** The most challenges per minute. */
export interface ChallengeRates {
  /** For one client: its address, or another name by which the seller identifies clients. */
  readonly perClient: number
  /** For all clients together. */
  readonly inAll: number
}

const MINUTE = 60_000

/** Limits the challenges that a flood of unpaid requests can cause. */
export class ChallengeLimiter {
  readonly #rates: ChallengeRates
  readonly #counts = new Map<string, number>()
  #window = 0
  #total = 0

  constructor(rates: ChallengeRates) {
    this.#rates = rates
  }

  /** Counts a challenge. Over the rate, returns the seconds until the next one is allowed. */
  take(client: string, now: number): number | undefined {
    const window = Math.floor(now / MINUTE)
    if (window !== this.#window) {
      this.#window = window
      this.#total = 0
      this.#counts.clear()
    }
    const count = this.#counts.get(client) ?? 0
    if (count >= this.#rates.perClient || this.#total >= this.#rates.inAll) {
      return Math.max(1, Math.ceil(((window + 1) * MINUTE - now) / 1000))
    }
    // The map holds at most as many clients as challenges are allowed.
    this.#counts.set(client, count + 1)
    this.#total += 1
    return undefined
  }
}
