/** The most streams: in total, and per key, or per address without a key. */
export interface ListenerLimits {
  readonly subscriptions: number
  readonly subscriptionsOfHolder: number
}

/**
 * Counts the streams that listen for changes of the list. Listening needs no key, so callers
 * without a key get at most half of the streams.
 */
export class Listeners {
  readonly #limits: ListenerLimits
  readonly #byHolder = new Map<string, number>()
  #withoutKey = 0

  constructor(limits: ListenerLimits) {
    this.#limits = limits
  }

  /** Takes a stream. Returns the function that releases it; undefined if none is free. */
  take(key: string | undefined, address: string): (() => void) | undefined {
    const holder = key ?? address
    const unkeyed = key === undefined ? 1 : 0
    const own = this.#byHolder.get(holder) ?? 0
    const mostWithoutKey = Math.floor(this.#limits.subscriptions / 2)
    if (key === undefined && this.#withoutKey >= mostWithoutKey) return undefined
    if (own >= this.#limits.subscriptionsOfHolder) return undefined
    this.#count(holder, 1)
    this.#withoutKey += unkeyed
    return () => {
      this.#count(holder, -1)
      this.#withoutKey -= unkeyed
    }
  }

  #count(holder: string, change: 1 | -1): void {
    const left = (this.#byHolder.get(holder) ?? 0) + change
    if (left === 0) this.#byHolder.delete(holder)
    else this.#byHolder.set(holder, left)
  }
}
