import type { Tally } from "../auditor/Auditor.ts"
import type { Card } from "./Card.ts"
import type { Control } from "./Control.ts"
import type { Line } from "./Line.ts"

/** The phase of a world. */
export type Phase = "preparing" | "payments" | "ended"

/** The event at which a world has stopped. */
export interface Stop {
  readonly line: Line
  /** The fault's name, if it is a fault, and its description. */
  readonly fault: string | null
  readonly about: string
}

/** The changes of a world since the previous frame, or its whole state. */
export interface Frame {
  readonly type: "frame"
  /** Whether it holds everything and replaces earlier frames. */
  readonly whole: boolean
  readonly phase: Phase
  readonly control: Control
  /** Set while the world is stopped at a fault or a violation. */
  readonly stop: Stop | null
  readonly seed: number
  readonly scenario: string
  /** When the world began, in milliseconds since 1970, and how long it has lasted. */
  readonly start: number
  readonly at_ms: number
  readonly steps: number
  /** The latest lines, in order; `left_out` more lines were left out. */
  readonly lines: ReadonlyArray<Line>
  readonly left_out: number
  /** The payments that have changed. */
  readonly cards: ReadonlyArray<Card>
  /** How many payments there are in all, and how many are finished. */
  readonly payments: number
  readonly done: number
  /** How often each fault happened. */
  readonly faults: { readonly [fault: string]: number }
  /** The invariants; only in a whole frame. */
  readonly invariants: ReadonlyArray<Pick<Tally, "name" | "number" | "section">>
  /** How often each invariant was checked and violated, in their order. */
  readonly checks: ReadonlyArray<number>
  readonly violations: ReadonlyArray<number>
}
