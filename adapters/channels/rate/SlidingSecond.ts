import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"

/**
 * Holds to a rate in every second there is, and not only on average: what is sent now has to be a
 * second behind what was sent `rate` times ago. It remembers that many times in a ring, in order,
 * those of promises that lie ahead among them.
 */
export class SlidingSecond {
  readonly #times: Array<Timestamp>
  #oldest = 0
  #now = -Infinity

  /** `rate` is how many are sent in a second at most, a whole number from one on. */
  constructor(rate: number) {
    this.#times = Array.from({ length: rate }, () => -Infinity)
  }

  /** A clock that was set back takes what it remembers along, or the channel would wait for it. */
  #look(now: Timestamp): void {
    const back = this.#now - now
    if (back > 0 && back < Infinity) {
      for (const [index, time] of this.#times.entries()) this.#times[index] = time - back
    }
    this.#now = now
  }

  #wait(now: Timestamp): number {
    this.#look(now)
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
   * Promises one that is sent as soon as it may be, and tells after how many milliseconds that is;
   * promises nothing and returns undefined where that is more than `longest`.
   */
  promise(now: Timestamp, longest: number): number | undefined {
    const wait = this.#wait(now)
    if (wait > longest) return undefined
    this.#note(now + wait)
    return wait
  }
}
