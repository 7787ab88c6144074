/** One thing that can go wrong, as the table of faults describes it. */
export interface FaultInfo {
  /** What happens, in words. */
  readonly about: string
  /** How bad it may get: a probability, a mean in milliseconds, or whatever `unit` says. */
  readonly worst: number
  readonly unit?: "probability" | "milliseconds" | "per hour"
  /** In what part of all seeds it is on; two in three where nothing is said. */
  readonly share?: number
  /** What its strikes are counted as where that is another name; null: they are not. */
  readonly counted_as?: string | null
}

/** A fault that struck. */
export interface Strike {
  readonly fault: string
  /** What it struck: a record by its id, a channel, a process; null where that is not said. */
  readonly about: string | null
}

/** What went wrong how often. */
export class FaultLog {
  readonly #counts = new Map<string, number>()
  readonly #heard: ((strike: Strike) => void) | undefined

  /** `heard` is told of each strike, before anything comes of it. */
  constructor(heard?: (strike: Strike) => void) {
    this.#heard = heard
  }

  note(fault: string, about: string | null = null): void {
    this.#counts.set(fault, (this.#counts.get(fault) ?? 0) + 1)
    this.#heard?.({ fault, about })
  }

  /** The counts by fault, in the order of the names. */
  counts(): { readonly [fault: string]: number } {
    return Object.fromEntries([...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }
}
