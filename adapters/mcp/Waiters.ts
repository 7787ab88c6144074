import type { Patience } from "../../core/market/Patience.ts"

/** How many calls may wait for a change: in all, and of one key. */
export interface WaiterLimits {
  readonly waiting: number
  readonly waitingOfKey: number
}

/** The calls that wait for a change, which hold no place among the requests that are served. */
export class Waiters {
  readonly #limits: WaiterLimits
  readonly #byKey = new Map<string, number>()
  readonly #ends = new Set<() => void>()
  #isClosed = false

  constructor(limits: WaiterLimits) {
    this.#limits = limits
  }

  /** How many wait. */
  get count(): number {
    return this.#ends.size
  }

  /**
   * Lets a call of the key wait, until what is returned is called; `end` is called when it has to
   * stop before. Undefined where there are too many, and once none may wait any more.
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

  /** Ends all: they are answered with what is now. */
  close(): void {
    this.#isClosed = true
    for (const end of this.#ends) end()
  }
}

/** The same patience, which also ends when the client says that it does not wait any more. */
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
