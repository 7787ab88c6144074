import type { Patience } from "../../core/market/Patience.ts"

/** The most calls that wait for a change: in total, and per key. */
export interface WaiterLimits {
  readonly waiting: number
  readonly waitingOfKey: number
}

/** The calls that wait for a change. They hold no place among the requests in progress. */
export class Waiters {
  readonly #limits: WaiterLimits
  readonly #byKey = new Map<string, number>()
  readonly #ends = new Set<() => void>()
  #isClosed = false

  constructor(limits: WaiterLimits) {
    this.#limits = limits
  }

  /** The number of waiting calls. */
  get count(): number {
    return this.#ends.size
  }

  /**
   * Registers a waiting call of the key. The returned function ends the wait. `end` is called if it
   * has to stop before. Returns undefined if there are too many, or after `close`.
   */
  take(key: string, end: () => void): (() => void) | undefined {
    const own = this.#byKey.get(key) ?? 0
    const isFull = this.#ends.size >= this.#limits.waiting || own >= this.#limits.waitingOfKey
    if (this.#isClosed || isFull) return undefined
    const ending = () => end()
    this.#ends.add(ending)
    this.#byKey.set(key, own + 1)
    return () => {
      if (!this.#ends.delete(ending)) return
      const left = (this.#byKey.get(key) ?? 0) - 1
      if (left <= 0) this.#byKey.delete(key)
      else this.#byKey.set(key, left)
    }
  }

  /** Ends all waits. The calls are answered with the current state. */
  close(): void {
    this.#isClosed = true
    for (const end of this.#ends) end()
  }
}

/** Returns the same patience, which also ends when the client cancels the call. */
export const untilCancelled = (
  { begin }: Patience,
  cancelled: AbortSignal | undefined,
): Patience => ({
  begin: (millis, end) => {
    if (cancelled?.aborted === true) return undefined
    const leave = begin(millis, end)
    if (leave === undefined || cancelled === undefined) return leave
    cancelled.addEventListener("abort", end)
    return () => {
      cancelled.removeEventListener("abort", end)
      leave()
    }
  },
})
