import type { PaymentFacts } from "./Glimpse.ts"

/** One payment at a glance. */
export interface Card {
  readonly id: string
  /** The payment's name in lines, such as `payment #7`. */
  readonly name: string
  readonly status: string
  /** Its states, each with when it was stored, in milliseconds after the world's beginning. */
  readonly moves: ReadonlyArray<{ readonly status: string; readonly at_ms: number }>
  /** Null until the auditor knows of it. */
  readonly facts: PaymentFacts | null
  /** How many faults affected it, and how many violations it had. */
  readonly faults: number
  readonly violations: number
  /** How many lines are about it. */
  readonly lines: number
}

/** A new state of a payment in a commit. */
export interface Move {
  readonly id: string
  readonly status: string
}

const WRITE = /(?:insert|replace) payment_intent (pi_\S+) \d+ (\w+)/g

/** Returns the new states of payments in a step of the trace. */
export const movesIn = (what: string): ReadonlyArray<Move> =>
  what.startsWith("commit ")
    ? [...what.matchAll(WRITE)].map(([, id = "", status = ""]) => ({ id, status }))
    : []

/** Makes the card of a payment of which only the name is known. */
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

/** Returns a payment's card after a commit; an unchanged state is not a move. */
export const moved = (card: Card, status: string, at_ms: number): Card =>
  card.status === status ? card : { ...card, status, moves: [...card.moves, { status, at_ms }] }
