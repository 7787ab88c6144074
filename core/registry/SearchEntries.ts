import type { ServiceManifest } from "./ServiceManifest.ts"

/** Letters beyond this are not compared. */
const LONGEST_WORD = 64

/** Of a run of text without spaces between words, every stretch of this length is found. */
const WINDOW = 4

/**
 * A service is found by so many entries at most: those of its name, then of its tags, then of its
 * description from the beginning. Each takes a place in an index, so what one service costs there
 * is bounded, in whatever script its seller writes.
 */
export const MOST_ENTRIES = 512

/** What a question asks for beyond this narrows the result and does not order it. */
export const MOST_SCORED = 16

const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** Scripts that put no spaces between words. */
const SCRIPTS = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]
const UNSPACED = new RegExp(`[${SCRIPTS.map((name) => `\\p{Script=${name}}`).join("")}]`, "u")

const wordsOf = (text: string): ReadonlyArray<string> =>
  text.normalize("NFKC").toLowerCase().match(WORD) ?? []

const shortened = (word: string): string => [...word].slice(0, LONGEST_WORD).join("")

/** Each stretch of a run of text, from each of its characters on where `partial`. */
const windowsOf = (characters: ReadonlyArray<string>, partial: boolean): ReadonlyArray<string> => {
  const starts = partial ? characters.length : Math.max(1, characters.length - WINDOW + 1)
  return Array.from({ length: starts }, (_, at) => characters.slice(at, at + WINDOW).join(""))
}

/**
 * What a word is found by: itself, and in a script without spaces also from each of its characters
 * on, so that asking for the beginning of a word finds any part of it.
 */
const entriesOf = (word: string): ReadonlyArray<string> =>
  UNSPACED.test(word) ? windowsOf([...word], true) : [shortened(word)]

/** Where an entry stands: in the name, in the tags or in the description. */
export type SearchPlace = "name" | "tags" | "description"

/** The entries by which a search finds a service, each with the best place where it stands. */
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
 * What a question asks for: the beginnings of entries, all of which have to be found. No question
 * is an error; one without a letter or digit asks for nothing in particular.
 */
export const searchPrefixes = (q: string): ReadonlyArray<string> => {
  const prefixes = wordsOf(q).flatMap((word) =>
    UNSPACED.test(word) ? windowsOf([...word], false) : [shortened(word)],
  )
  return [...new Set(prefixes)]
}
