import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { Violation } from "../auditor/Auditor.ts"
import { invariants } from "../auditor/invariants.ts"
import type { Note } from "../auditor/Trace.ts"
import { aboutFault } from "../faults/aboutFault.ts"
import type { Strike } from "../faults/Fault.ts"
import { Story } from "../report/Story.ts"
import type { Script } from "../world/plans/Plan.ts"
import { type Card, moved, movesIn, newCard } from "./Card.ts"
import type { Control } from "./Control.ts"
import type { Frame, Phase, Stop } from "./Frame.ts"
import type { Glimpse } from "./Glimpse.ts"
import { kindOf, type Line, type LineKind } from "./Line.ts"
import { PaymentThreads } from "./PaymentThreads.ts"

/** How many lines are in a frame, and how many are kept for a world and for one payment. */
const SHOWN = 60
const KEPT = 400

const NAMED: Frame["invariants"] = invariants.map(({ name, number, section }) => ({
  name,
  number,
  section,
}))

/** The parts of a world's script that are shown. */
type Watched = Pick<Script, "payments" | "scenario" | "seed" | "start">

/** A payment's story so far. */
export interface PaymentStory {
  readonly type: "story"
  readonly card: Card
  readonly lines: ReadonlyArray<Line>
  /** How many earlier lines are not kept. */
  readonly left_out: number
}

/** The view of a playing world: lines, payments, faults and invariants. */
export class LiveWorld {
  readonly #script: Watched
  readonly #start: Timestamp
  readonly #story: Story
  readonly #threads = new PaymentThreads()
  readonly #cards = new Map<string, Card>()
  readonly #changed = new Set<string>()
  readonly #linesOf = new Map<string, Array<Line>>()
  readonly #faults = new Map<string, number>()
  #lines: Array<Line> = []
  #told = 0
  #count = 0
  #at_ms = 0
  #glimpse: Glimpse | undefined
  #stop: Stop | null = null
  phase: Phase = "preparing"
  done = 0

  constructor(script: Watched) {
    this.#script = script
    this.#start = script.start
    this.#story = new Story(script.start)
  }

  /** Starts to look at the world. */
  begin(glimpse: Glimpse): void {
    this.#glimpse = glimpse
  }

  /** Adds a step; returns its line, or undefined for a step that prepares the world. */
  step({ at, what }: Note): Line | undefined {
    const text = this.#story.say(what)
    const payments = this.#threads.follow(what)
    if (this.phase === "preparing" && what.startsWith("commit nobody")) return undefined
    this.phase = "payments"
    this.#stop = null
    for (const { id, status } of movesIn(what)) {
      this.#change(id, (card) => moved(card, status, at - this.#start))
    }
    return this.#add(at, kindOf(what), text, payments)
  }

  /** Adds a fault, and stops the world there if it has to stop. */
  fault({ about, fault }: Strike): Line {
    const payment = about === null ? undefined : this.#threads.paymentOf(about)
    const words = fault.replaceAll("_", " ")
    const where = about === null ? "" : ` · ${this.#story.named(about)}`
    this.#faults.set(fault, (this.#faults.get(fault) ?? 0) + 1)
    if (payment !== undefined)
      this.#change(payment, (card) => ({ ...card, faults: card.faults + 1 }))
    const line = this.#add(
      this.#now(),
      "fault",
      `${words}${where}`,
      payment === undefined ? [] : [payment],
    )
    this.#stop = { line, fault, about: aboutFault(fault) }
    return line
  }

  /** Adds a violation. */
  violation(violation: Violation): Line {
    const payment = this.#threads.paymentOf(violation.subject)
    if (payment !== undefined) {
      this.#change(payment, (card) => ({ ...card, violations: card.violations + 1 }))
    }
    const text = this.#story.accuse(violation)
    const line = this.#add(this.#now(), "violation", text, payment === undefined ? [] : [payment])
    this.#stop = { line, fault: null, about: violation.name }
    return line
  }

  /** Returns the changes since the previous frame; everything that is kept if `whole` is set. */
  frame(control: Control, whole = false): Frame {
    const tallies = this.#glimpse?.tallies() ?? []
    const fresh = whole ? this.#lines : this.#lines.filter(({ n }) => n > this.#told)
    const lines = whole ? fresh : fresh.slice(-SHOWN)
    const left_out = whole ? 0 : this.#count - this.#told - lines.length
    const ids = whole ? [...this.#cards.keys()] : [...this.#changed]
    if (!whole) this.#forgetTold()
    return {
      type: "frame",
      whole,
      phase: this.phase,
      control,
      stop: control.plays ? null : this.#stop,
      seed: this.#script.seed,
      scenario: this.#script.scenario,
      start: this.#start,
      at_ms: this.#at_ms,
      steps: this.#count,
      lines,
      left_out,
      cards: ids.flatMap((id) => this.#card(id) ?? []),
      payments: this.#script.payments.length,
      done: this.done,
      faults: Object.fromEntries(this.#faults),
      invariants: whole ? NAMED : [],
      checks: tallies.map(({ checks }) => checks),
      violations: tallies.map(({ violations }) => violations),
    }
  }

  /** Returns a payment's story; undefined if the payment is unknown. */
  story(id: string): PaymentStory | undefined {
    const card = this.#card(id)
    if (card === undefined) return undefined
    const lines = this.#linesOf.get(id) ?? []
    return { type: "story", card, lines, left_out: card.lines - lines.length }
  }

  #now(): Timestamp {
    return this.#glimpse?.now() ?? this.#start
  }

  #forgetTold(): void {
    this.#told = this.#count
    this.#changed.clear()
  }

  #card(id: string): Card | undefined {
    const card = this.#cards.get(id)
    // A fault may affect a payment that its channel knows but that is never stored.
    if (card === undefined || card.status === "") return undefined
    return { ...card, facts: this.#glimpse?.payment(id) ?? null }
  }

  #change(id: string, change: (card: Card) => Card): void {
    this.#cards.set(id, change(this.#cards.get(id) ?? newCard(id, this.#story.named(id))))
    this.#changed.add(id)
  }

  #add(at: number, kind: LineKind, text: string, payments: ReadonlyArray<string>): Line {
    this.#count += 1
    this.#at_ms = at - this.#start
    const line = { n: this.#count, at_ms: this.#at_ms, kind, text, payments }
    this.#lines = kept(this.#lines, line)
    for (const id of payments) {
      if (!this.#cards.has(id)) continue
      this.#change(id, (card) => ({ ...card, lines: card.lines + 1 }))
      this.#linesOf.set(id, kept(this.#linesOf.get(id) ?? [], line))
    }
    return line
  }
}

/** Adds a line. If there are too many, drops half of them at once. */
const kept = (lines: Array<Line>, line: Line): Array<Line> => {
  const left = lines.length < 2 * KEPT ? lines : lines.slice(-KEPT)
  left.push(line)
  return left
}
