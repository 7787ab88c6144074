/** One possible fault, as the table of faults describes it. */
export interface FaultInfo {
  /** What happens, in words. */
  readonly about: string
  /** The fault's worst value: a probability, a mean in milliseconds, or in the given `unit`. */
  readonly worst: number
  readonly unit?: "probability" | "milliseconds" | "per hour"
  /** The share of seeds in which it is on; two thirds by default. */
  readonly share?: number
  /** The name under which it is counted, if it is another; null if it is not counted. */
  readonly counted_as?: string | null
}

/** An occurrence of a fault. */
export interface Strike {
  readonly fault: string
  /** The affected record's id, channel or process; null if it is not known. */
  readonly about: string | null
}

/** Counts the faults. */
export class FaultLog {
  readonly #counts = new Map<string, number>()
  readonly #heard: ((strike: Strike) => void) | undefined

  /** `heard` receives each fault before it has any effect. */
  constructor(heard?: (strike: Strike) => void) {
    this.#heard = heard
  }

  note(fault: string, about: string | null = null): void {
    this.#counts.set(fault, (this.#counts.get(fault) ?? 0) + 1)
    this.#heard?.({ fault, about })
  }

  /** Returns the counts by fault, in the order of the names. */
  counts(): { readonly [fault: string]: number } {
    return Object.fromEntries([...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }
}
