import { type Part, rulesOf } from "./Notation.ts"
import { type Phrases, phrasesOf } from "./Phrases.ts"

/** What one step reads: one of several phrases, or a slot. */
export type Terminal =
  | { readonly type: "phrases"; readonly phrases: Phrases<true> }
  | { readonly type: "slot"; readonly name: string }

/** A step from one place of the grammar to the next. */
export interface Step {
  /** The index of its terminal. */
  readonly terminal: number
  readonly to: number
}

/** A place of the grammar: the steps from it, and whether an order may end here. */
export interface Place {
  readonly steps: ReadonlyArray<Step>
  readonly isEnd: boolean
}

/** A grammar compiled for reading. */
export interface Network {
  readonly terminals: ReadonlyArray<Terminal>
  readonly places: ReadonlyArray<Place>
  /** The index of the first place of each requested rule. */
  readonly starts: ReadonlyMap<string, number>
}

/** Returns the phrases of a rule that consists of words only; they are read in one step. */
const phrasesIn = (part: Part): ReadonlyArray<string> | undefined => {
  const branches = part.type === "any" ? part.parts : [part]
  const phrases = branches.map((branch) =>
    branch.type === "all" && branch.parts.length > 0
      ? branch.parts.map((inner) => (inner.type === "word" ? inner.text : undefined))
      : [undefined],
  )
  return phrases.every((words) => words.every((word) => word !== undefined))
    ? phrases.map((words) => words.join(" "))
    : undefined
}

const END: Place = { steps: [], isEnd: true }

/** Compiles rules, with `starts` as entry points. Rules must not be recursive. */
export const networkOf = (grammar: string, starts: ReadonlyArray<string>): Network => {
  const rules = rulesOf(grammar)
  const terminals: Array<Terminal> = []
  const byKey = new Map<string, number>()
  const places: Array<Place> = []
  const numbers = new Map<Place, number>()
  const done = new Map<string, Map<Place, Place>>()

  const terminalOf = (key: string, make: () => Terminal): number => {
    const known = byKey.get(key)
    if (known !== undefined) return known
    byKey.set(key, terminals.length)
    return terminals.push(make()) - 1
  }
  const numberOf = (place: Place): number => {
    const known = numbers.get(place)
    if (known !== undefined) return known
    numbers.set(place, places.length)
    return places.push(place) - 1
  }
  const step = (key: string, make: () => Terminal, next: Place): Place => ({
    steps: [{ terminal: terminalOf(key, make), to: numberOf(next) }],
    isEnd: false,
  })
  const ofPhrases = (phrases: ReadonlyArray<string>, next: Place): Place => {
    const make = () =>
      ({
        type: "phrases",
        phrases: phrasesOf(phrases.map((phrase) => [phrase, true as const])),
      }) as const
    return step(phrases.join("|"), make, next)
  }
  const ofRule = (name: string, next: Place): Place => {
    const rule = rules.get(name)
    if (rule === undefined) throw new Error(`the grammar has no rule ${name}`)
    const known = done.get(name) ?? new Map<Place, Place>()
    done.set(name, known)
    const place = known.get(next) ?? before(rule, next)
    known.set(next, place)
    return place
  }
  /** Returns the place before a part, where `next` is the place behind it. */
  const before = (part: Part, next: Place): Place => {
    const phrases = phrasesIn(part)
    if (phrases !== undefined) return ofPhrases(phrases, next)
    switch (part.type) {
      case "word":
        return ofPhrases([part.text], next)
      case "slot":
        return step(`<${part.name}>`, () => ({ type: "slot", name: part.name }), next)
      case "rule":
        return ofRule(part.name, next)
      case "all":
        return part.parts.reduceRight((behind, inner) => before(inner, behind), next)
      case "any": {
        const branches = part.parts.map((inner) => before(inner, next))
        return {
          steps: branches.flatMap(({ steps }) => steps),
          isEnd: branches.some(({ isEnd }) => isEnd),
        }
      }
    }
  }
  const begins = starts.map((name) => [name, numberOf(ofRule(name, END))] as const)
  return { terminals, places, starts: new Map(begins) }
}
