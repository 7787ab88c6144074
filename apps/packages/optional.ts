import type { Declared } from "./printType.ts"

/** Ends the type of an optional field until it is known whether callers write or read it. */
export const OPTIONAL = "\u0001"

/** The text of a type that callers only read: a field is there, or it is not. */
export const read = (text: string): string => text.replaceAll(OPTIONAL, "")

/** The text of a type that callers write: they may also leave out a field as `undefined`. */
export const writable = (text: string): string => text.replaceAll(OPTIONAL, " | undefined")

/** Returns the names of the declared types in a text. */
export const namesIn = (text: string, declared: Declared): ReadonlyArray<string> => {
  const words = new Set(text.replaceAll(/\/\*\*[^]*?\*\//g, "").match(/\b[A-Z]\w*/g))
  return [...declared.keys()].filter((name) => words.has(name))
}

/**
 * Decides it for all types: callers write those that `inputs` name, with all that these contain,
 * also where answers contain them, too.
 */
export const decideOptional = (declared: Declared, inputs: ReadonlyArray<string>): Declared => {
  const written = new Set<string>()
  const left = [...inputs]
  for (let text = left.pop(); text !== undefined; text = left.pop()) {
    for (const name of namesIn(text, declared)) {
      if (!written.has(name)) left.push(declared.get(name) ?? "")
      written.add(name)
    }
  }
  return new Map(
    [...declared].map(([name, text]) => [name, written.has(name) ? writable(text) : read(text)]),
  )
}
