/** The subject of a line of a live world. */
export type LineKind =
  | "payment"
  | "work"
  | "money"
  | "message"
  | "answer"
  | "read"
  | "process"
  | "fault"
  | "violation"

/** An event of a world, as the people who watch it read it. */
export interface Line {
  /** Its number, from 1. */
  readonly n: number
  /** Milliseconds after the beginning of the world. */
  readonly at_ms: number
  readonly kind: LineKind
  readonly text: string
  /** The ids of the payments that it is about. */
  readonly payments: ReadonlyArray<string>
}

const KINDS: { readonly [word: string]: LineKind } = {
  claim: "work",
  entry: "money",
  callback: "message",
  answer: "answer",
  call: "answer",
  read: "read",
  gate: "read",
  process: "process",
}

/** Returns the kind of line for a step of the trace. */
export const kindOf = (what: string): LineKind => {
  const [word = ""] = what.split(" ", 1)
  if (word === "commit") return / payment_intent pi_/.test(what) ? "payment" : "work"
  return KINDS[word] ?? "work"
}
