import type { Tally, Violation } from "../../../simulator/auditor/Auditor.ts"
import { isSound, type Report } from "../../../simulator/Report.ts"

/** Counts by name. */
export type Counts = { readonly [name: string]: number }

/** A played world in a few numbers. */
export interface World {
  readonly seed: number
  /** The time that it took on its thread. */
  readonly wall_ms: number
  /** The number of violations; 0 for a world that did not end. */
  readonly violations: number
}

/** A world with a violation. */
export interface Failed {
  readonly seed: number
  readonly intents: number
  readonly violations: ReadonlyArray<Violation>
}

/** A world that did not end: it crashed, or was given up after its time limit. */
export interface Broken {
  readonly seed: number
  readonly how: "broke_down" | "too_long"
  readonly message: string
}

const KEPT = 100

const violationsOf = ({ invariants }: Report): number =>
  invariants.reduce((sum, { violations }) => sum + violations, 0)

const COUNTED = ["faults", "pairs", "steps", "statuses"] as const

class Sums {
  readonly #counts = new Map<string, number>()

  add(counts: Counts): void {
    for (const [name, count] of Object.entries(counts)) {
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + count)
    }
  }

  get counts(): Counts {
    return Object.fromEntries([...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/** The totals of many worlds, without the report of each. */
export class Totals {
  seeds = 0
  intents = 0
  operations = 0
  /** Payments whose payers gave the money, of all that were made. */
  paid = 0
  virtual_ms = 0
  trace_steps = 0
  /** The sum of the worlds' times on all threads. */
  thread_ms = 0
  readonly scenario: string
  /** Some payments of the first world, state by state. */
  timelines: Report["timelines"] = []
  readonly #latencies = new Map<string, Array<number>>()
  /** Every world that has ended in any way. */
  readonly worlds: Array<World> = []
  readonly hashes = new Map<number, string>()
  readonly failed: Array<Failed> = []
  readonly broken: Array<Broken> = []
  readonly #sums = {
    faults: new Sums(),
    pairs: new Sums(),
    steps: new Sums(),
    statuses: new Sums(),
  }
  readonly #tallies = new Map<number, Tally>()

  constructor(scenario: string) {
    this.scenario = scenario
  }

  get latencies(): Report["latencies"] {
    return Object.fromEntries([...this.#latencies].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  add(report: Report, wall_ms: number): void {
    this.seeds += 1
    this.intents += report.intents
    this.operations += report.operations
    this.paid += report.paid
    this.virtual_ms += report.virtual_ms
    this.trace_steps += report.trace_steps
    this.thread_ms += wall_ms
    this.worlds.push({ seed: report.seed, wall_ms, violations: violationsOf(report) })
    if (this.timelines.length === 0) this.timelines = report.timelines
    for (const [what, buckets] of Object.entries(report.latencies)) {
      const sums = this.#latencies.get(what) ?? buckets.map(() => 0)
      this.#latencies.set(
        what,
        sums.map((sum, n) => sum + (buckets[n] ?? 0)),
      )
    }
    if (this.hashes.size < KEPT && report.trace_hash !== "")
      this.hashes.set(report.seed, report.trace_hash)
    for (const name of COUNTED) this.#sums[name].add(report[name])
    for (const tally of report.invariants) {
      const known = this.#tallies.get(tally.number) ?? { ...tally, checks: 0, violations: 0 }
      const checks = known.checks + tally.checks
      const violations = known.violations + tally.violations
      this.#tallies.set(tally.number, { ...known, checks, violations })
    }
    if (!isSound(report) && this.failed.length < KEPT) {
      const { intents, seed } = report
      this.failed.push({ seed, intents, violations: report.violations })
    }
  }

  /** Adds a world that did not end, with the time that it took. */
  addBroken({ how, message, seed, wall_ms }: Broken & { readonly wall_ms: number }): void {
    this.worlds.push({ seed, wall_ms, violations: 0 })
    this.broken.push({ seed, how, message })
  }

  get isSound(): boolean {
    return this.failed.length === 0 && this.broken.length === 0
  }

  get invariants(): ReadonlyArray<Tally> {
    return [...this.#tallies.values()].toSorted((a, b) => a.number - b.number)
  }

  get faults(): Counts {
    return this.#sums.faults.counts
  }

  get pairs(): Counts {
    return this.#sums.pairs.counts
  }

  get steps(): Counts {
    return this.#sums.steps.counts
  }

  /** How many payments were made, including those of the parts that a world plays beside. */
  get made(): number {
    return Object.values(this.statuses).reduce((sum, count) => sum + count, 0)
  }

  get statuses(): Counts {
    return this.#sums.statuses.counts
  }
}
