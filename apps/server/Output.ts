import { Effect } from "effect"

/** Prints the whole text before it returns. */
export type Print = (text: string) => Effect.Effect<void>

/** The output of a command: lines for people as they come, or one JSON object at the end. */
export interface Output {
  /** A line for a person. */
  readonly say: Print
  /** The object for a program. */
  readonly result: (value: object) => Effect.Effect<void>
}

/** Returns the output of a command with or without `--json`. */
export const outputOf = (json: boolean, print: Print): Output =>
  json
    ? { say: () => Effect.void, result: (value) => print(JSON.stringify(value)) }
    : { say: print, result: () => Effect.void }
