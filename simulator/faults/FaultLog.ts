/** What went wrong how often. */
export class FaultLog {
  readonly #counts = new Map<string, number>()

  note(fault: string): void {
    this.#counts.set(fault, (this.#counts.get(fault) ?? 0) + 1)
  }

  /** The counts by fault, in the order of the names. */
  counts(): { readonly [fault: string]: number } {
    return Object.fromEntries([...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }
}
