// Written independently of core/shared on purpose: it knows fewer letters, but all that worlds use.

import type { Finding, Observations, Rulebook } from "../Observation.ts"

declare module "../Observation.ts" {
  interface Observations {
    /** A name as the market shows it, and whether it looks the same as another. */
    readonly name_shown: {
      readonly name: string
      readonly isMarked: boolean
      readonly other: string
      readonly looksTheSame: boolean
    }
    /** Whether metadata is taken. */
    readonly metadata_sent: {
      readonly metadata: { readonly [key: string]: string }
      readonly refused: string | undefined
    }
  }
}

/** Letters of other scripts that look like Latin ones, under these. */
export const TWINS = {
  a: "\u0430\u03b1",
  c: "\u0441",
  e: "\u0435",
  h: "\u04bb",
  i: "\u0456",
  o: "\u043e\u03bf",
  p: "\u0440\u03c1",
  s: "\u0455",
  v: "\u0475",
  x: "\u0445",
  y: "\u0443",
} as const

const twinOf = (character: string): string | undefined =>
  Object.entries(TWINS).find(([, twins]) => twins.includes(character))?.[0]

/** How far letters of full width are from those of ASCII. */
export const FULL_WIDTH = 0xfee0

const isFullWidth = (character: string): boolean => /[\uff21-\uff3a\uff41-\uff5a]/.test(character)

const narrow = (character: string): string =>
  isFullWidth(character) ? String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH) : character

const isOdd = (name: string): boolean => {
  const words = name.toLowerCase().split(/[ .,\u00b7]+/)
  const isTwin = (character: string) => twinOf(character) !== undefined
  const isMixed = words.some((word) => /[a-z]/.test(word) && [...word].some(isTwin))
  const letters = [...words.join("")]
  const isAllTwins = letters.every(isTwin)
  return (
    isMixed || isAllTwins || [...name].some(isFullWidth) || /^[.,\u00b7]|[.,\u00b7]$/.test(name)
  )
}

/** Returns a name as people see it. */
const seenAs = (name: string): string =>
  [...name]
    .map(narrow)
    .join("")
    .replace(/(?<=\p{Ll}I*)I/gu, "l")
    .toUpperCase()
    .toLowerCase()
    .replace(/^[ .,\u00b7]+|[ .,\u00b7]+$/g, "")
    .replace(/./gu, (character) => twinOf(character) ?? character)
    .replaceAll("0", "o")
    .replaceAll("1", "l")

const shown = (seen: Observations["name_shown"]): Finding => {
  const { isMarked, looksTheSame, name, other } = seen
  if (isMarked !== isOdd(name)) return `${name} is ${isMarked ? "" : "not "}marked`
  if (looksTheSame === (seenAs(name) === seenAs(other))) return undefined
  return `${name} is ${looksTheSame ? "" : "not "}taken for ${other}`
}

const MOST = 4_096

const sizeOf = (text: string): number =>
  [...text].reduce((sum, character) => {
    const point = character.codePointAt(0) ?? 0
    return sum + (point < 128 ? 1 : point < 2_048 ? 2 : point < 65_536 ? 3 : 4)
  }, 0)

const sent = ({ metadata, refused }: Observations["metadata_sent"]): Finding => {
  const size = sizeOf(JSON.stringify(metadata))
  const due = size > MOST ? "INVALID_METADATA" : undefined
  return refused === due ? undefined : `gets ${refused} with ${size} bytes`
}

/** The rules about names that look like others, and about the size of metadata. */
export const oddTextRules: Rulebook = {
  143: { name_shown: shown },
  144: { metadata_sent: sent },
}
