/** Buckets of 10 µs, up to 4 s. */
const WIDTH = 0.01
const BUCKETS = 400_000

/** Counts how long answers took. */
export class Latencies {
  readonly #buckets = new Uint32Array(BUCKETS)
  #count = 0
  #most = 0

  add(milliseconds: number): void {
    const at = Math.min(Math.floor(milliseconds / WIDTH), BUCKETS - 1)
    this.#buckets[at] = (this.#buckets[at] ?? 0) + 1
    this.#count += 1
    if (milliseconds > this.#most) this.#most = milliseconds
  }

  get most(): number {
    return this.#most
  }

  /** The milliseconds that this share of the answers stayed within. */
  within(share: number): number {
    let left = this.#count * share
    for (const [at, count] of this.#buckets.entries()) {
      left -= count
      if (left <= 0) return (at + 1) * WIDTH
    }
    return this.#most
  }
}
