/** The most uses that are remembered; after that the store is asked again. */
const MOST_KNOWN = 10_000

/** The uses of a day that a process knows to be logged. */
export class KnownUses {
  #day = ""
  readonly #uses = new Set<string>()

  has(use: string, day: string): boolean {
    return day === this.#day && this.#uses.has(use)
  }

  add(use: string, day: string): void {
    if (day !== this.#day || this.#uses.size >= MOST_KNOWN) this.#uses.clear()
    this.#day = day
    this.#uses.add(use)
  }
}
