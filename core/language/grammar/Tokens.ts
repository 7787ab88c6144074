/** A piece of a text that the grammar reads as one. */
export interface Token {
  readonly kind: "word" | "han" | "number" | "id" | "quoted" | "mark"
  /** In lower case; what the quotation marks hold, for what is quoted. */
  readonly text: string
  /** Where it stands in the normalized text. */
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

/** The form of a text that is read: compatibility forms are one, and so are apostrophes. */
export const readable = (text: string): string =>
  text.normalize("NFKC").replaceAll(/[‘’]/g, "'").trim()

/**
 * The tokens of a {@link readable} text: words, Han characters one by one, numbers, identifiers,
 * quotations, and every other character by itself, so that nothing of a text is left out but
 * blanks.
 */
export const tokensOf = (text: string): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  const lower = text.toLowerCase()
  // Where a character has no lower case of the same length, positions would not fit any more.
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
