import { Effect } from "effect"

/** Prints a text whole. */
export type Print = (text: string) => Effect.Effect<void>

/** What a command tells: a person by lines as they come, a program by a JSON object at the end. */
export interface Output {
  /** A line for a person. */
  readonly say: Print
  /** The object for a program. */
  readonly result: (value: object) => Effect.Effect<void>
}

/** The output of a command with `--json`, or without. */
export const outputOf = (json: boolean, print: Print): Output =>
  json
    ? { say: () => Effect.void, result: (value) => print(JSON.stringify(value)) }
    : { say: print, result: () => Effect.void }
