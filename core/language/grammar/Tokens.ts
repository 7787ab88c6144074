import { normal } from "./Normal.ts"

/** A token of a text. */
export interface Token {
  readonly kind: "word" | "han" | "number" | "id" | "quoted" | "mark"
  /** The text in lower case; for a quotation, what is between the marks. */
  readonly text: string
  /** The position in the normalized text. */
  readonly start: number
  readonly end: number
}

/** Each alternative is a group, in the order of {@link KINDS}. */
const TOKEN = new RegExp(
  [
    String.raw`(pi_[0-9a-z-]{6,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![a-z\d_-])`,
    String.raw`(\d+(?:[.,]\d+)*)`,
    String.raw`(\p{Script=Han})`,
    String.raw`'?((?!\p{Script=Han})\p{L}(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}_])*)`,
    String.raw`"([^"\n]{1,128})"|“([^“”\n]{1,128})”|「([^「」\n]{1,128})」|《([^《》\n]{1,128})》`,
    String.raw`([^\p{Zs}\t])`,
  ].join("|"),
  "uy",
)

const KINDS = [
  "id",
  "number",
  "han",
  "word",
  "quoted",
  "quoted",
  "quoted",
  "quoted",
  "mark",
] as const

const BLANK = /[\p{Zs}\t]/u

/** Normalizes a text; apostrophes are unified. */
export const readable = (text: string): string => normal(text).replaceAll(/[‘’]/g, "'").trim()

/**
 * Splits a {@link readable} text into tokens: words, single Han characters, numbers, identifiers,
 * quotations, and every other character by itself. Only blanks are left out.
 */
export const tokensOf = (text: string): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  const lower = text.toLowerCase()
  // Positions would be wrong where lower case changes a character's length.
  const source = lower.length === text.length ? lower : text
  for (let at = 0; at < source.length;) {
    if (BLANK.test(source.charAt(at))) {
      at += 1
      continue
    }
    TOKEN.lastIndex = at
    const found = TOKEN.exec(source)
    const group = found?.slice(1).findIndex((part) => part !== undefined) ?? -1
    const whole = found?.[0] ?? source.charAt(at)
    const kind = KINDS[group] ?? "mark"
    const isInside = kind === "quoted"
    const word = kind === "word" && whole.startsWith("'") ? whole : found?.[group + 1]
    const end = at + whole.length
    tokens.push({ kind, text: (isInside ? word?.trim() : word) ?? whole, start: at, end })
    at = end
  }
  return tokens
}
