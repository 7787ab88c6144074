/** How many challenges may be opened a minute. */
export interface ChallengeRates {
  /** For one client, by its address or whatever else the seller tells clients apart by. */
  readonly perClient: number
  /** For all of them together. */
  readonly inAll: number
}

const MINUTE = 60_000

/** What a flood of requests without a payment may cost: so many challenges a minute. */
export class ChallengeLimiter {
  readonly #rates: ChallengeRates
  readonly #counts = new Map<string, number>()
  #window = 0
  #total = 0

  constructor(rates: ChallengeRates) {
    this.#rates = rates
  }

  /** Counts a challenge; else the seconds until the client may ask again. */
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
    // No more clients are remembered than challenges are allowed.
    this.#counts.set(client, count + 1)
    this.#total += 1
    return undefined
  }
}
