import type { Tally } from "../auditor/Auditor.ts"
import type { Card } from "./Card.ts"
import type { Control } from "./Control.ts"
import type { Line } from "./Line.ts"

/** Where a world is on its way. */
export type Phase = "preparing" | "payments" | "ended"

/** What a world has stopped at. */
export interface Stop {
  readonly line: Line
  /** The fault's name where it is one, and what it is in words. */
  readonly fault: string | null
  readonly about: string
}

/** What has changed in a world since the frame before, or all of it. */
export interface Frame {
  readonly type: "frame"
  /** Whether it holds everything: what was known before is forgotten. */
  readonly whole: boolean
  readonly phase: Phase
  readonly control: Control
  /** Set while the world stands still at a fault or at an invariant that does not hold. */
  readonly stop: Stop | null
  readonly seed: number
  readonly scenario: string
  /** When the world began, in milliseconds since 1970, and how long it has lasted. */
  readonly start: number
  readonly at_ms: number
  readonly steps: number
  /** The latest lines, in order; `left_out` others were not told of, there being too many. */
  readonly lines: ReadonlyArray<Line>
  readonly left_out: number
  /** The payments that have changed. */
  readonly cards: ReadonlyArray<Card>
  /** How many are played in all, and with how many nobody does anything any more. */
  readonly payments: number
  readonly done: number
  /** How often each fault struck. */
  readonly faults: { readonly [fault: string]: number }
  /** The invariants, in a frame that is whole. */
  readonly invariants: ReadonlyArray<Pick<Tally, "name" | "number" | "section">>
  /** How often each invariant was looked at and did not hold, in their order. */
  readonly checks: ReadonlyArray<number>
  readonly violations: ReadonlyArray<number>
}
