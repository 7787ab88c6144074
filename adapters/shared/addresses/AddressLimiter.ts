import { hash } from "node:crypto"

/** A limit of requests by address. */
export interface AddressLimits {
  /** The sustained number of requests per second. */
  readonly perSecond: number
  /** The largest burst. */
  readonly burst: number
  /** The most remembered addresses of each kind. The least recently used one is dropped first. */
  readonly mostAddresses: number
}

/** Ten requests a second, a hundred at once. An address costs some 200 bytes. */
export const ADDRESS_LIMITS: AddressLimits = { perSecond: 10, burst: 100, mostAddresses: 50_000 }

/** The limits of pages: a page loads several files, and many people share an address. */
export const PAGE_LIMITS: AddressLimits = { perSecond: 50, burst: 500, mostAddresses: 50_000 }

/** The cost of a wrong key in requests. */
const WRONG_KEY = 2

/** The most valid keys that are remembered. */
const MOST_KEYS = 10_000

interface Bucket {
  /** May be negative, down to one burst. */
  tokens: number
  /** The time of `tokens`, in milliseconds. */
  at: number
}

/** A token bucket per address, refilled by the second. */
class Buckets {
  readonly #limits: AddressLimits
  readonly #now: () => number
  /** In the order of their last use. */
  readonly #byAddress = new Map<string, Bucket>()

  constructor(limits: AddressLimits, now: () => number) {
    this.#limits = limits
    this.#now = now
  }

  get size(): number {
    return this.#byAddress.size
  }

  /** Returns the seconds until there are enough tokens; 0 if there are now. */
  wait(address: string, cost: number): number {
    const bucket = this.#byAddress.get(address)
    return bucket === undefined ? 0 : this.#untilThere(this.#filled(bucket), cost)
  }

  /** Takes tokens if at least `least` remain. Returns 0, or the seconds to wait. */
  take(address: string, cost: number, least: number): number {
    const { burst, mostAddresses } = this.#limits
    const bucket = this.#byAddress.get(address)
    const tokens = bucket === undefined ? burst : this.#filled(bucket)
    const isRoom = tokens - cost >= least
    this.#byAddress.delete(address)
    this.#byAddress.set(address, { tokens: isRoom ? tokens - cost : tokens, at: this.#now() })
    const [oldest] = this.#byAddress.size > mostAddresses ? this.#byAddress.keys() : []
    if (oldest !== undefined) this.#byAddress.delete(oldest)
    return isRoom ? 0 : this.#untilThere(tokens, cost)
  }

  #filled({ at, tokens }: Bucket): number {
    const { burst, perSecond } = this.#limits
    return Math.min(burst, tokens + ((this.#now() - at) / 1000) * perSecond)
  }

  #untilThere(tokens: number, cost: number): number {
    return tokens >= cost ? 0 : Math.max(1, Math.ceil((cost - tokens) / this.#limits.perSecond))
  }
}

const digest = (authorization: string): string => hash("sha256", authorization, "base64")

/**
 * Limits requests without a key and attempts with wrong keys by address, separately: requests
 * without a key do not affect those with one. A valid key is not refused because of wrong keys from
 * its address, so that nobody can lock out others at the same address.
 */
export class AddressLimiter {
  readonly #limits: AddressLimits
  readonly #requests: Buckets
  readonly #keys: Buckets
  readonly #rightKeys = new Set<string>()

  /** `now` is in milliseconds since any moment. */
  constructor(limits: AddressLimits, now: () => number = () => performance.now()) {
    this.#limits = limits
    this.#requests = new Buckets(limits, now)
    this.#keys = new Buckets(limits, now)
  }

  /** The number of remembered addresses. */
  get addresses(): number {
    return this.#requests.size + this.#keys.size
  }

  /** Counts a request without a key. Returns 0, or the seconds until there is room for it. */
  admit(address: string, cost = 1): number {
    return this.#requests.take(address, cost, 0)
  }

  /** Returns the seconds until an attempt with a key is allowed; 0 for now. Takes no tokens. */
  waitWithKey(address: string, authorization: string): number {
    const wait = this.#keys.wait(address, WRONG_KEY)
    return wait > 0 && this.#rightKeys.has(digest(authorization)) ? 0 : wait
  }

  /** Counts a wrong key, also as a request without a key. */
  wrongKey(address: string): void {
    this.#requests.take(address, WRONG_KEY, 0)
    this.#keys.take(address, WRONG_KEY, -this.#limits.burst)
  }

  /** Remembers a valid key. The most recently used ones are kept. */
  rightKey(authorization: string): void {
    const key = digest(authorization)
    this.#rightKeys.delete(key)
    this.#rightKeys.add(key)
    const [oldest] = this.#rightKeys.size > MOST_KEYS ? this.#rightKeys : []
    if (oldest !== undefined) this.#rightKeys.delete(oldest)
  }
}
