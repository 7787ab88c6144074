import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"

/**
 * Limits the rate within every second, not only on average: a request must be a second later than
 * the one `rate` requests before it. A ring holds the last `rate` times in order, including those
 * of promised future requests.
 */
export class SlidingSecond {
  readonly #times: Array<Timestamp>
  #oldest = 0
  #now = -Infinity

  /** `rate` is the most requests in a second, an integer from 1. */
  constructor(rate: number) {
    this.#times = Array.from({ length: rate }, () => -Infinity)
  }

  /** If the clock was set back, moves the times back with it. Otherwise the channel would wait. */
  #follow(now: Timestamp): void {
    const back = this.#now - now
    if (back > 0 && back < Infinity) {
      for (const [index, time] of this.#times.entries()) this.#times[index] = time - back
    }
    this.#now = now
  }

  #wait(now: Timestamp): number {
    this.#follow(now)
    const oldest = this.#times[this.#oldest] ?? -Infinity
    return Math.max(0, oldest + SECOND - now)
  }

  #note(at: Timestamp): void {
    this.#times[this.#oldest] = at
    this.#oldest = (this.#oldest + 1) % this.#times.length
  }

  /** Whether another request may be sent now. */
  isFree(now: Timestamp): boolean {
    return this.#wait(now) === 0
  }

  /**
   * Reserves the next free moment, and returns the milliseconds until then. If that is more than
   * `longest`, reserves nothing and returns undefined.
   */
  promise(now: Timestamp, longest: number): number | undefined {
    const wait = this.#wait(now)
    if (wait > longest) return undefined
    this.#note(now + wait)
    return wait
  }
}
