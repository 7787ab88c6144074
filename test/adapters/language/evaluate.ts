import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Entities, Intent, Understanding } from "../../../core/language/Understanding.ts"

/** A text with its meaning as labelled by a person. */
export interface Utterance {
  readonly text: string
  readonly intent: Intent
  readonly entities: Entities
}

const FIELD = /(\w+)=/g

const entities = (text: string): Entities => {
  const starts = [...text.matchAll(FIELD)]
  return Object.fromEntries(
    starts.map((match, index) => {
      const begin = (match.index ?? 0) + match[0].length
      return [match[1] ?? "", text.slice(begin, starts[index + 1]?.index).trim()]
    }),
  )
}

/** The utterances of a file: a line each, `intent | text | entity=value entity=value`. */
export const utterancesOf = (file: string): ReadonlyArray<Utterance> =>
  readFileSync(join(import.meta.dirname, "evaluation", file), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [intent = "", text = "", said = ""] = line.split(/ \| ?/)
      return { text, intent: intent.trim() as Intent, entities: entities(said) }
    })

const sameNumber = (a: string, b: string) => {
  const plain = (text: string) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text)
  return plain(a) === plain(b)
}

const same = (name: string, wanted: string, found: string | undefined): boolean =>
  found !== undefined &&
  (name === "amount" ? sameNumber(wanted, found) : wanted.toLowerCase() === found.toLowerCase())

/** How well an engine understands: shares of intents and entities, and each mistake. */
export const evaluate = (
  utterances: ReadonlyArray<Utterance>,
  understand: (text: string) => Understanding,
) => {
  let intents = 0
  let wanted = 0
  let found = 0
  const mistakes: Array<string> = []
  for (const { entities: labelled, intent, text } of utterances) {
    const said = understand(text)
    if (said.intent === intent) intents += 1
    else mistakes.push(`${text}: ${said.intent}, not ${intent}`)
    const names = new Set([...Object.keys(labelled), ...Object.keys(said.entities)])
    for (const name of names) {
      const label = Reflect.get(labelled, name) as string | undefined
      const value = Reflect.get(said.entities, name) as string | undefined
      wanted += 1
      if (label !== undefined && same(name, label, value)) found += 1
      else mistakes.push(`${text}: ${name} is ${value ?? "missing"}, not ${label ?? "there"}`)
    }
  }
  return {
    intents: intents / utterances.length,
    entities: wanted === 0 ? 1 : found / wanted,
    mistakes,
  }
}
