/** How long nothing has arrived on a connection, as far as somebody has looked. */
export class Silence {
  readonly #source: { readonly bytesRead: number }
  #since = 0
  #bytes = 0

  constructor(source: { readonly bytesRead: number }) {
    this.#source = source
  }

  /** Something is asked from now on, in milliseconds of a clock that never jumps. */
  begin(now: number): void {
    this.#since = now
    this.#bytes = this.#source.bytesRead
  }

  /** Milliseconds without a byte until now: since the last look that found one. */
  at(now: number): number {
    if (this.#source.bytesRead !== this.#bytes) this.begin(now)
    return now - this.#since
  }
}
