import type { ServiceManifest } from "./ServiceManifest.ts"

/** Longer words are compared by this many letters. */
const LONGEST_WORD = 64

/** In text without spaces between words, every substring of this length is found. */
const WINDOW = 4

/**
 * The most entries of a service: of its name, then its tags, then its description from the
 * beginning. Each entry takes space in an index, so that the cost of a service there is bounded in
 * every script.
 */
export const MOST_ENTRIES = 512

/** The most words of a query that affect the order; further words only filter. */
export const MOST_SCORED = 16

const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** Scripts without spaces between words. */
const SCRIPTS = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]
const UNSPACED = new RegExp(`[${SCRIPTS.map((name) => `\\p{Script=${name}}`).join("")}]`, "u")

const wordsOf = (text: string): ReadonlyArray<string> =>
  text.normalize("NFKC").toLowerCase().match(WORD) ?? []

const shortened = (word: string): string => [...word].slice(0, LONGEST_WORD).join("")

/** Returns the substrings of a run of text; with `partial`, also the shorter ones at its end. */
const windowsOf = (characters: ReadonlyArray<string>, partial: boolean): ReadonlyArray<string> => {
  const starts = partial ? characters.length : Math.max(1, characters.length - WINDOW + 1)
  return Array.from({ length: starts }, (_, at) => characters.slice(at, at + WINDOW).join(""))
}

/**
 * Returns the entries of a word: the word itself, or in a script without spaces the substring from
 * each of its characters, so that a search by prefix finds any part of it.
 */
const entriesOf = (word: string): ReadonlyArray<string> =>
  UNSPACED.test(word) ? windowsOf([...word], true) : [shortened(word)]

/** The field that contains an entry. */
export type SearchPlace = "name" | "tags" | "description"

/** Returns the entries by which a search finds a service, each with its best field. */
export const searchEntries = ({
  description,
  name,
  tags,
}: Pick<ServiceManifest, SearchPlace>): ReadonlyMap<string, SearchPlace> => {
  const entries = new Map<string, SearchPlace>()
  const add = (place: SearchPlace, texts: ReadonlyArray<string>) => {
    for (const entry of texts.flatMap(wordsOf).flatMap(entriesOf)) {
      if (entries.size >= MOST_ENTRIES) return
      if (!entries.has(entry)) entries.set(entry, place)
    }
  }
  add("name", [name])
  add("tags", tags)
  add("description", [description])
  return entries
}

/**
 * Returns the prefixes of entries that a query asks for; a service must match all of them. No query
 * is an error. A query without a letter or digit matches every service.
 */
export const searchPrefixes = (q: string): ReadonlyArray<string> => {
  const prefixes = wordsOf(q).flatMap((word) =>
    UNSPACED.test(word) ? windowsOf([...word], false) : [shortened(word)],
  )
  return [...new Set(prefixes)]
}
