/** What a line of a live world tells of. */
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

/** Something that happened in a world, as those who watch it read it. */
export interface Line {
  /** Its number, from 1. */
  readonly n: number
  /** Milliseconds after the beginning of the world. */
  readonly at_ms: number
  readonly kind: LineKind
  readonly text: string
  /** The payments that it is about, by their ids. */
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

/** What kind of line a step of the trace becomes. */
export const kindOf = (what: string): LineKind => {
  const [word = ""] = what.split(" ", 1)
  if (word === "commit") return / payment_intent pi_/.test(what) ? "payment" : "work"
  return KINDS[word] ?? "work"
}
