/**
 * Who listens to changes of the list. Nobody needs a key for that, so that strangers could take all
 * streams there are: they have half of them, and the rest is for callers with a key.
 */
export class Listeners {
  readonly #forStrangers: number
  #strangers = 0

  /** `most` is how many streams there may be in all. */
  constructor(most: number) {
    this.#forStrangers = Math.floor(most / 2)
  }

  /** Takes a stream; returns the way to give it back, or undefined where strangers have enough. */
  take(keyed: boolean): (() => void) | undefined {
    if (keyed) return () => undefined
    if (this.#strangers >= this.#forStrangers) return undefined
    this.#strangers += 1
    return () => {
      this.#strangers -= 1
    }
  }
}
