import type { Card } from "./Card.ts"
import type { Frame } from "./Frame.ts"
import type { Line, LineKind } from "./Line.ts"

/** The page's state of the world that it shows. */
export interface WorldState {
  /** The latest frame, with the lines and cards that it changed. */
  readonly frame: Frame
  readonly cards: ReadonlyMap<string, Card>
  /** The latest lines, in order. */
  readonly lines: ReadonlyArray<Line>
  readonly invariants: Frame["invariants"]
  readonly pulse: Pulse
}

/** The number of lines on the page. */
const MOST_LINES = 400

/** How much happened, by kind, in equal ranges of steps. */
export interface Pulse {
  /** How many steps a range has. */
  readonly width: number
  readonly bins: ReadonlyArray<Bin>
}

interface Bin {
  readonly steps: number
  readonly faults: number
  readonly violations: number
}

const MOST_BINS = 120
const EMPTY: Bin = { steps: 0, faults: 0, violations: 0 }

export const NO_PULSE: Pulse = { width: 8, bins: [] }

const sum = (a: Bin, b: Bin): Bin => ({
  steps: a.steps + b.steps,
  faults: a.faults + b.faults,
  violations: a.violations + b.violations,
})

const halved = ({ bins, width }: Pulse): Pulse => ({
  width: width * 2,
  bins: bins.flatMap((bin, n) => (n % 2 === 0 ? [sum(bin, bins[n + 1] ?? EMPTY)] : [])),
})

/** Adds the events up to a step. If there are too many ranges, their length is doubled. */
export const withBeats = (pulse: Pulse, step: number, beat: Omit<Bin, "steps">): Pulse => {
  const at = Math.floor(Math.max(step - 1, 0) / pulse.width)
  if (at >= MOST_BINS) return withBeats(halved(pulse), step, beat)
  const bins = Array.from({ length: Math.max(pulse.bins.length, at + 1) }, (_, n) => {
    const bin = pulse.bins[n] ?? EMPTY
    const steps = Math.max(bin.steps, Math.min(Math.max(step - n * pulse.width, 0), pulse.width))
    return n === at ? sum({ ...bin, steps }, { ...beat, steps: 0 }) : { ...bin, steps }
  })
  return { width: pulse.width, bins }
}

const total = (counts: Iterable<number>): number => {
  let all = 0
  for (const count of counts) all += count
  return all
}

/** Returns how many faults have happened. */
export const strikesOf = ({ faults }: Frame): number => total(Object.values(faults))

/** Returns the number of violations. */
export const violationsOf = ({ violations }: Frame): number => total(violations)

/** Returns the number of checks. */
export const checksOf = ({ checks }: Frame): number => total(checks)

/** Returns the state after a frame; a whole frame replaces everything before it. */
export const afterFrame = (before: WorldState | undefined, frame: Frame): WorldState => {
  const known = frame.whole ? undefined : before
  const cards = new Map(known?.cards)
  for (const card of frame.cards) cards.set(card.id, card)
  const last = known?.lines.at(-1)?.n ?? 0
  const lines = [...(known?.lines ?? []), ...frame.lines.filter(({ n }) => n > last)]
  const pulse = withBeats(known?.pulse ?? NO_PULSE, frame.steps, {
    faults: strikesOf(frame) - (known === undefined ? 0 : strikesOf(known.frame)),
    violations: violationsOf(frame) - (known === undefined ? 0 : violationsOf(known.frame)),
  })
  return {
    frame,
    cards,
    lines: lines.slice(-MOST_LINES),
    invariants: frame.whole ? frame.invariants : (known?.invariants ?? []),
    pulse,
  }
}

/** The meaning of a payment's state for the money, which decides its colour. */
export type Tone = "open" | "held" | "taken" | "done" | "over" | "failed"

const TONES: { readonly [status: string]: Tone } = {
  pending: "open",
  qr_generated: "open",
  scanning: "open",
  debiting: "held",
  authorized: "held",
  capturing: "taken",
  captured: "taken",
  succeeded: "done",
  completed: "done",
  failed: "failed",
  expired: "over",
  cancelled: "over",
  voided: "over",
}

export const toneOf = (status: string): Tone => TONES[status] ?? "open"

/** The tones in the order in which a payment goes through them, with their meanings. */
export const LEGEND: ReadonlyArray<readonly [tone: Tone, meaning: string]> = [
  ["open", "offered"],
  ["held", "authorized"],
  ["taken", "captured"],
  ["done", "paid"],
  ["over", "ended unpaid"],
  ["failed", "failed"],
]

/** Returns how many payments have each tone. */
export const tonesOf = (cards: Iterable<Card>): ReadonlyMap<Tone, number> => {
  const counts = new Map<Tone, number>()
  for (const { status } of cards) {
    const tone = toneOf(status)
    counts.set(tone, (counts.get(tone) ?? 0) + 1)
  }
  return counts
}

/** The names of the kinds of lines in the filter. */
export const KINDS: ReadonlyArray<readonly [name: string, kinds: ReadonlyArray<LineKind>]> = [
  ["payments", ["payment"]],
  ["money", ["money"]],
  ["callbacks", ["message"]],
  ["answers", ["answer"]],
  ["faults", ["fault", "violation", "process"]],
  ["work", ["work"]],
  ["reads", ["read"]],
]

const pad = (value: number, length = 2): string => String(value).padStart(length, "0")

/** Formats the time since the beginning, such as `+2 d 00:01:07.213`. */
export const elapsed = (millis: number): string => {
  const days = Math.floor(millis / 86_400_000)
  const rest = millis % 86_400_000
  const [hours, minutes] = [Math.floor(rest / 3_600_000), Math.floor(rest / 60_000) % 60]
  const time = `${pad(hours)}:${pad(minutes)}:${pad(Math.floor(rest / 1_000) % 60)}`
  return `${days > 0 ? `+${days} d ` : ""}${time}.${pad(rest % 1_000, 3)}`
}
