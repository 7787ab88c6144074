import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"

/**
 * Keeps to a rate within every second, not only on average: a request has to be a second later than
 * the one `rate` requests before it. A ring holds the last `rate` times in order, with those of
 * promised requests that lie ahead.
 */
export class SlidingSecond {
  readonly #times: Array<Timestamp>
  #oldest = 0
  #now = -Infinity

  /** `rate` is the most requests in a second, a whole number from one. */
  constructor(rate: number) {
    this.#times = Array.from({ length: rate }, () => -Infinity)
  }

  /** When the clock was set back, moves the times back with it, or the channel would wait. */
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

  /** Whether one more may be sent now. */
  isFree(now: Timestamp): boolean {
    return this.#wait(now) === 0
  }

  /**
   * Reserves the next free moment and returns the milliseconds until then; undefined, and nothing
   * reserved, where that is more than `longest`.
   */
  promise(now: Timestamp, longest: number): number | undefined {
    const wait = this.#wait(now)
    if (wait > longest) return undefined
    this.#note(now + wait)
    return wait
  }
}
