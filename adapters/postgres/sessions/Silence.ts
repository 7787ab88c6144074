/** Measures how long nothing has arrived on a connection. */
export class Silence {
  readonly #source: { readonly bytesRead: number }
  #since = 0
  #bytes = 0

  constructor(source: { readonly bytesRead: number }) {
    this.#source = source
  }

  /** Starts at `now`, in milliseconds of a monotonic clock. */
  begin(now: number): void {
    this.#since = now
    this.#bytes = this.#source.bytesRead
  }

  /** Returns the milliseconds until now without a byte, since the last check that found one. */
  at(now: number): number {
    if (this.#source.bytesRead !== this.#bytes) this.begin(now)
    return now - this.#since
  }
}
