import { networkKey, siteKey } from "../../shared/addresses/networkKey.ts"

/** The most challenges per minute. */
export interface ChallengeRates {
  /**
   * For one client: its address, or another name by which the seller identifies clients. In IPv6
   * the 64 bits of a network are one client.
   */
  readonly perClient: number
  /** For all clients together. Those of one network (/48 in IPv6, /24) get a quarter of it. */
  readonly inAll: number
}

const MINUTE = 60_000

/** The share of all challenges that one network gets, so that it leaves some to others. */
const SHARE = 0.25

const countOf = (counts: ReadonlyMap<string, number>, key: string): number => counts.get(key) ?? 0

/** Limits the challenges that a flood of unpaid requests can cause. */
export class ChallengeLimiter {
  readonly #rates: ChallengeRates
  readonly #clients = new Map<string, number>()
  readonly #sites = new Map<string, number>()
  #window = 0
  #total = 0

  constructor(rates: ChallengeRates) {
    this.#rates = rates
  }

  /**
   * Counts a challenge. Over the rate, returns the seconds until the next one is allowed. Clients
   * that are not known are limited only together, or one of them would use up what all have.
   */
  take(client: string | undefined, now: number): number | undefined {
    const window = Math.floor(now / MINUTE)
    if (window !== this.#window) {
      this.#window = window
      this.#total = 0
      this.#clients.clear()
      this.#sites.clear()
    }
    const isAllowed =
      this.#total < this.#rates.inAll &&
      (client === undefined || client === "" || this.#takeFor(client))
    if (!isAllowed) return Math.max(1, Math.ceil(((window + 1) * MINUTE - now) / 1000))
    this.#total += 1
    return undefined
  }

  /** Counts a challenge of a client, and returns whether it is allowed. */
  #takeFor(client: string): boolean {
    const { inAll, perClient } = this.#rates
    const [network, site] = [networkKey(client), siteKey(client)]
    const [ofNetwork, ofSite] = [countOf(this.#clients, network), countOf(this.#sites, site)]
    const most = Math.max(perClient, Math.ceil(inAll * SHARE))
    if (ofNetwork >= perClient || ofSite >= most) return false
    // The maps hold at most as many clients as challenges are allowed.
    this.#clients.set(network, ofNetwork + 1)
    this.#sites.set(site, ofSite + 1)
    return true
  }
}
