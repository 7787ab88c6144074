/**
 * Counts the streams that listen to changes of the list. Listening needs no key, so callers without
 * one get half of the streams at most; the rest is for callers with a key.
 */
export class Listeners {
  readonly #mostWithoutKey: number
  #withoutKey = 0

  /** `most` is the number of streams in all. */
  constructor(most: number) {
    this.#mostWithoutKey = Math.floor(most / 2)
  }

  /** Takes a stream. Returns the function that releases it; undefined when none is free. */
  take(keyed: boolean): (() => void) | undefined {
    if (keyed) return () => undefined
    if (this.#withoutKey >= this.#mostWithoutKey) return undefined
    this.#withoutKey += 1
    return () => {
      this.#withoutKey -= 1
    }
  }
}
