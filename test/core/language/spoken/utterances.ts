import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Entities, Intent } from "../../../../core/language/Understanding.ts"

/** A text with its meaning, labelled by a person before there was a grammar. */
export interface Utterance {
  /** `do` if the text contains everything that its request needs, `ask` if something is missing. */
  readonly act: "do" | "ask"
  readonly intent: Intent
  readonly text: string
  readonly entities: Entities
}

/** `<p1>` stands for a payment's id, `\n` for a line break, and `\u202e` for that character. */
const PAYMENT = "pi_01997d3e-8a00-7000-8000-00000000000"

const linesOf = (file: string): ReadonlyArray<ReadonlyArray<string>> =>
  readFileSync(join(import.meta.dirname, file), "utf8")
    .replaceAll(/<p(\d)>/g, `${PAYMENT}$1`)
    .replaceAll("\\n", "\n")
    .replaceAll(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .split(/\n(?=[a-z ]+ \| )/)
    .map((line) => line.trimEnd().split(/ \|(?: |$)/))
    .filter(([first = ""]) => first !== "")

const entitiesIn = (text: string): Entities => {
  const starts = [...text.matchAll(/(\w+)=/g)]
  return Object.fromEntries(
    starts.map((match, index) => [
      match[1] ?? "",
      text.slice(match.index + match[0].length, starts[index + 1]?.index).trim(),
    ]),
  )
}

/** The utterances of a file: `act | intent | text | entity=value entity=value`. */
export const utterancesOf = (file: string): ReadonlyArray<Utterance> =>
  linesOf(file).map(([act = "", intent = "", text = "", entities = ""]) => ({
    act: act === "do" ? "do" : "ask",
    intent: intent as Intent,
    text,
    entities: entitiesIn(entities),
  }))

/** Returns the texts of a file that must not lead to an action: `why | text`. */
export const neverOf = (file: string): ReadonlyArray<readonly [why: string, text: string]> =>
  linesOf(file).map(([why = "", text = ""]) => [why, text])
