import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"

/** Letters beyond this are not compared. */
const LONGEST_WORD = 64

/** Of a run of text without spaces between words, every stretch of this length is found. */
const WINDOW = 16

const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** Scripts that put no spaces between words. */
const SCRIPTS = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]
const UNSPACED = new RegExp(`[${SCRIPTS.map((name) => `\\p{Script=${name}}`).join("")}]`, "u")

const wordsOf = (text: string): ReadonlyArray<string> =>
  text.normalize("NFKC").toLowerCase().match(WORD) ?? []

const shortened = (word: string): string => [...word].slice(0, LONGEST_WORD).join("")

/**
 * What a word is found by: itself, and in a script without spaces also from each of its characters
 * on, so that asking for the beginning of a word finds any part of it.
 */
const entriesOf = (word: string): ReadonlyArray<string> => {
  if (!UNSPACED.test(word)) return [shortened(word)]
  const characters = [...word]
  return characters.map((_, start) => characters.slice(start, start + WINDOW).join(""))
}

const WEIGHTS = ["A", "B", "C"] as const

/** The text search vector of a manifest: name, tags and description, weighted in that order. */
export const searchVector = ({
  name,
  tags,
  description,
}: Pick<ServiceManifest, "name" | "tags" | "description">): string => {
  const weights = new Map<string, string>()
  for (const [rank, texts] of [[name], tags, [description]].entries()) {
    for (const entry of texts.flatMap(wordsOf).flatMap(entriesOf)) {
      if (!weights.has(entry)) weights.set(entry, WEIGHTS[rank] ?? "D")
    }
  }
  // Words hold letters, marks and digits only, so there is nothing in them to escape.
  return [...weights].map(([entry, weight]) => `'${entry}':1${weight}`).join(" ")
}

/**
 * What a question asks for: the beginnings of words, all of which have to be found. No question is
 * an error; one without a letter or digit asks for nothing in particular.
 */
export const searchPrefixes = (q: string): ReadonlyArray<string> => {
  const prefixes = wordsOf(q).flatMap((word) => {
    const characters = [...word]
    if (!UNSPACED.test(word) || characters.length <= WINDOW) return [shortened(word)]
    const windows: Array<string> = []
    for (let start = 0; start + WINDOW <= characters.length; start += 1) {
      windows.push(characters.slice(start, start + WINDOW).join(""))
    }
    return windows
  })
  return [...new Set(prefixes)]
}

/** A text search query for words that begin so, of that weight if one is given. */
export const prefixQuery = (prefix: string, weight = ""): string => `'${prefix}':*${weight}`
