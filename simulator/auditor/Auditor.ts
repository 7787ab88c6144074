import type { Commit, Kind, Write } from "../../core/ports/Store.ts"
import { type Timestamp, toIso } from "../../core/shared/Timestamp.ts"
import type { Entry } from "../channels/Entry.ts"
import { parts } from "../parts.ts"
import type { Cause } from "../world/ports/CurrentCause.ts"
import type { ObservationKind, Observations } from "./Observation.ts"
import type { Invariant } from "./promises.ts"
import { invariants } from "./invariants.ts"
import { pauses } from "./invariants/refusals.ts"
import { Model } from "./Model.ts"

/** An invariant that did not hold. */
export interface Violation {
  readonly number: number
  readonly name: string
  /** The payment or record that violates it. */
  readonly subject: string
  readonly finding: string
  readonly at: string
}

/** How often an invariant was checked, and how often it was violated. */
export interface Tally {
  readonly number: number
  readonly name: string
  readonly section: string
  readonly checks: number
  readonly violations: number
}

/** The number of violations kept in words; the others are only counted. */
const KEPT = 100

type Counter = { readonly invariant: Invariant; checks: number; violations: number }

type Rule = (seen: never, model: Model) => string | undefined

/** The rule of an invariant for one kind of observation, with its counter. */
interface Judging {
  readonly counter: Counter
  readonly rule: Rule
}

/**
 * Checks a world at every step, from the commits, channels' books, messages and answers that it
 * sees. It shares the state tables with the service, but none of the code that applies them.
 */
export class Auditor {
  readonly model = new Model([pauses, ...parts.flatMap(({ knowledge }) => knowledge ?? [])])
  readonly violations: Array<Violation> = []
  readonly #counters: ReadonlyArray<Counter>
  readonly #byKind = new Map<ObservationKind, ReadonlyArray<Judging>>()
  readonly #now: () => Timestamp
  readonly #broken: (violation: Violation) => void

  /**
   * `broken` receives each violation. `judged` are the invariants to check, by default those of a
   * simulated world.
   */
  constructor(
    now: () => Timestamp,
    broken: (violation: Violation) => void = () => undefined,
    judged: ReadonlyArray<Invariant> = invariants,
  ) {
    this.#now = now
    this.#broken = broken
    this.#counters = judged.map((invariant) => ({ invariant, checks: 0, violations: 0 }))
  }

  tallies(): ReadonlyArray<Tally> {
    return this.#counters.map(({ invariant: { number, name, section }, checks, violations }) => ({
      number,
      name,
      section,
      checks,
      violations,
    }))
  }

  /** Checks an observation against every invariant that has a rule for its kind. */
  see<K extends ObservationKind>(kind: K, subject: string, seen: Observations[K]): void {
    for (const { counter, rule } of this.#judging(kind)) {
      const finding = rule(seen as never, this.model)
      counter.checks += 1
      if (finding === undefined) continue
      counter.violations += 1
      const { number, name } = counter.invariant
      const violation = { number, name, subject, finding, at: toIso(this.#now()) }
      if (this.violations.length < KEPT) this.violations.push(violation)
      this.#broken(violation)
    }
  }

  /**
   * Records a commit that has just been stored, and the commit that a process asked for, if one
   * did; `held_up` is how long that process paused before.
   */
  commit(commit: Commit, cause: Cause, held_up = 0, asked?: Commit): void {
    const at = this.#now()
    const events = (commit.events ?? []).map((record): Write => ({
      op: "insert",
      kind: "event",
      record,
    }))
    const writes = [...commit.writes, ...events]
    this.see("commit", commit.writes[0]?.record.id ?? "", { commit, asked, cause, at })
    for (const write of writes) {
      this.see("write", write.record.id, { write, commit, at, held_up })
      if (write.kind === "payment_intent") {
        const before = this.model.intents.get(write.record.id)?.record
        const { op, record } = write
        if (op === "remove") this.see("left", record.id, { known: before, record, at })
        else this.see("intent", record.id, { before, after: record, commit, at, held_up })
      } else if (write.kind === "delivery") {
        const before = this.model.deliveries.get(write.record.id)
        this.see("delivery", write.record.id, { before, after: write.record, at })
      }
    }
    for (const write of writes) this.model.applyWrite(write, at)
    for (const posting of commit.postings ?? []) this.model.applyPosting(posting)
  }

  /** Records a worker's claim, which has raised the records' versions. */
  claimed(
    kind: Kind,
    records: ReadonlyArray<{ readonly id: string; readonly version: number }>,
  ): void {
    for (const { id, version } of records) this.model.versions.set(`${kind} ${id}`, version)
  }

  /** Records an entry that a channel has just made in its books. */
  entry(entry: Entry): void {
    this.see("entry", entry.out_trade_no, entry)
    this.model.applyEntry(entry)
  }

  /** Records that somebody is asked to revoke. */
  order(given: Observations["order"]): void {
    const { id, refund } = given.order.revocation
    this.see("order", refund, given)
    this.model.access.ask(id, [...this.model.triesOf(id), given.at])
  }

  /** Records the answer that a client got. */
  answer(answer: Observations["answer"]): void {
    this.see("answer", answer.account, answer)
    this.model.applyAnswer(answer)
  }

  #judging(kind: ObservationKind): ReadonlyArray<Judging> {
    const known = this.#byKind.get(kind)
    if (known !== undefined) return known
    const judging = this.#counters.flatMap((counter) => {
      const rule = counter.invariant.check[kind] as Rule | undefined
      return rule === undefined ? [] : [{ counter, rule }]
    })
    this.#byKind.set(kind, judging)
    return judging
  }
}
