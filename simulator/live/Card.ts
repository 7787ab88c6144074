import type { PaymentFacts } from "./Glimpse.ts"

/** One payment at a glance. */
export interface Card {
  readonly id: string
  /** As the lines call it, such as `payment #7`. */
  readonly name: string
  readonly status: string
  /** Its states, each from when it was stored, in milliseconds after the beginning of the world. */
  readonly moves: ReadonlyArray<{ readonly status: string; readonly at_ms: number }>
  /** Null until the auditor knows of it. */
  readonly facts: PaymentFacts | null
  /** How many faults struck it, and how many invariants did not hold for it. */
  readonly faults: number
  readonly violations: number
  /** How many lines tell of it. */
  readonly lines: number
}

/** A state that a commit gives a payment. */
export interface Move {
  readonly id: string
  readonly status: string
}

const WRITE = /(?:insert|replace) payment_intent (pi_\S+) \d+ (\w+)/g

/** The states that a step of the trace gives to payments. */
export const movesIn = (what: string): ReadonlyArray<Move> =>
  what.startsWith("commit ")
    ? [...what.matchAll(WRITE)].map(([, id = "", status = ""]) => ({ id, status }))
    : []

/** A payment of which nothing is known but its name. */
export const newCard = (id: string, name: string): Card => ({
  id,
  name,
  status: "",
  moves: [],
  facts: null,
  faults: 0,
  violations: 0,
  lines: 0,
})

/** A payment after a commit; a state that it has already is no move. */
export const moved = (card: Card, status: string, at_ms: number): Card =>
  card.status === status ? card : { ...card, status, moves: [...card.moves, { status, at_ms }] }
