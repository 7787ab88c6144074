/** So many uses are known to be entered; beyond them all are asked for again. */
const MOST_KNOWN = 10_000

/** The uses of a day that a process knows to be in their accounts' logs. */
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
