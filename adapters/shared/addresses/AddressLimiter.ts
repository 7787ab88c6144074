import { hash } from "node:crypto"

/** A limit of requests by address. */
export interface AddressLimits {
  /** How many requests a second go on for long. */
  readonly perSecond: number
  /** How many may come at once. */
  readonly burst: number
  /** How many addresses are remembered of either kind; the one seen longest ago goes first. */
  readonly mostAddresses: number
}

/** Ten requests a second, a hundred at once. An address costs some 200 bytes. */
export const ADDRESS_LIMITS: AddressLimits = { perSecond: 10, burst: 100, mostAddresses: 50_000 }

/** What people look at: a page loads several files, and many share an address. */
export const PAGE_LIMITS: AddressLimits = { perSecond: 50, burst: 500, mostAddresses: 50_000 }

/** What a wrong key costs: as much as two requests. */
const WRONG_KEY = 2

/** How many keys are remembered that were right. */
const MOST_KEYS = 10_000

interface Bucket {
  /** May be negative, as deep as one burst. */
  tokens: number
  /** When `tokens` was true, in milliseconds. */
  at: number
}

/** A bucket of tokens for each address, which fills by the second. */
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

  /** The seconds until there are so many tokens; 0 for now. */
  wait(address: string, cost: number): number {
    const bucket = this.#byAddress.get(address)
    return bucket === undefined ? 0 : this.#untilThere(this.#filled(bucket), cost)
  }

  /** Takes tokens where `least` of them remain; else says how long to wait. */
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
 * Limits by address what needs no key, and attempts with wrong keys, each for itself: requests
 * without a key refuse none that has one. A key that was right is not refused with the wrong ones
 * of its address either, so that nobody locks out those who share it.
 */
export class AddressLimiter {
  readonly #limits: AddressLimits
  readonly #requests: Buckets
  readonly #keys: Buckets
  readonly #rightKeys = new Set<string>()

  /** `now` in milliseconds since any moment. */
  constructor(limits: AddressLimits, now: () => number = () => performance.now()) {
    this.#limits = limits
    this.#requests = new Buckets(limits, now)
    this.#keys = new Buckets(limits, now)
  }

  /** How many addresses are remembered. */
  get addresses(): number {
    return this.#requests.size + this.#keys.size
  }

  /** Counts a request without a key: 0, or the seconds until there is room for it. */
  admit(address: string, cost = 1): number {
    return this.#requests.take(address, cost, 0)
  }

  /** The seconds until an attempt with a key may be made; 0 for now. It takes nothing. */
  waitWithKey(address: string, authorization: string): number {
    const wait = this.#keys.wait(address, WRONG_KEY)
    return wait > 0 && this.#rightKeys.has(digest(authorization)) ? 0 : wait
  }

  /** Counts a key that was wrong, as a request without a key too. */
  wrongKey(address: string): void {
    this.#requests.take(address, WRONG_KEY, 0)
    this.#keys.take(address, WRONG_KEY, -this.#limits.burst)
  }

  /** Remembers a key that was right. Those that were used last are kept. */
  rightKey(authorization: string): void {
    const key = digest(authorization)
    this.#rightKeys.delete(key)
    this.#rightKeys.add(key)
    const [oldest] = this.#rightKeys.size > MOST_KEYS ? this.#rightKeys : []
    if (oldest !== undefined) this.#rightKeys.delete(oldest)
  }
}
