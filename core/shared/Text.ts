import { Schema } from "effect"

/** Line breaks and tabs are allowed. Other controls and bidirectional overrides are not. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/
/** The blank of Braille is not among the ignorable characters, but it has no mark either. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\u2800/u

/** Characters that join and colour emoji: invisible by themselves, with a visible effect. */
const EMOJI_PARTS = /\u200d|\ufe0f/g
const LINE_BREAKS = /[\t\n\r\u2028\u2029]/

/** The form of most texts: visible ASCII on one line, the same in every Unicode form. */
const PLAIN = /^[ -~]*$/

/** A text has at most as many characters as code units, so a short one needs no counting. */
const isLonger = (text: string, max: number): boolean => text.length > max && [...text].length > max

const printable = Schema.makeFilter((text: string) =>
  !PLAIN.test(text) && FORBIDDEN.test(text)
    ? "must hold no control or bidirectional override characters"
    : undefined,
)

const flawOf = (text: string, max: number): string | undefined =>
  text.trim() === ""
    ? "must not be empty"
    : isLonger(text, max)
      ? `must be at most ${max} characters`
      : undefined

const flawOfLine = (text: string): string | undefined => {
  if (PLAIN.test(text)) return undefined
  if (LINE_BREAKS.test(text)) return "must be a single line"
  return INVISIBLE.test(text.replace(EMOJI_PARTS, ""))
    ? "must hold no invisible characters"
    : undefined
}

/** The JSON Schema of such a text's length. JSON Schema counts code points, too. */
const lengthOf = (max: number) => ({
  toJsonSchema: () => [{ minLength: 1, maxLength: max }, true] as const,
})

/** Visible text on one line, 1 to `max` characters (code points). */
export const line = (max: number) =>
  Schema.String.check(
    printable,
    Schema.makeFilter((text: string) => flawOf(text, max) ?? flawOfLine(text), lengthOf(max)),
  )

/** Visible text that may run over several lines, 1 to `max` characters (code points). */
export const block = (max: number) =>
  Schema.String.check(
    printable,
    Schema.makeFilter((text: string) => flawOf(text, max), lengthOf(max)),
  )

/** Returns the text on one line with single spaces, cut to `max` characters (code points). */
export const shortLine = (text: string, max: number): string =>
  [...text.replace(/\s+/g, " ").trim()].slice(0, max).join("").trimEnd()

/** Card issuers by the first digits of their numbers, and the numbers' lengths (ISO/IEC 7812). */
const BRANDS: ReadonlyArray<readonly [prefix: RegExp, lengths: ReadonlyArray<number>]> = [
  [/^4/, [13, 16, 19]],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(6011|64[4-9]|65)/, [16, 17, 18, 19]],
  [/^35(2[89]|[3-8])/, [16, 17, 18, 19]],
  [/^3(0[0-5]|[689])/, [14, 15, 16, 17, 18, 19]],
  [/^62/, [16, 17, 18, 19]],
]

/** A group of digits that is not part of a longer word or number. */
const DIGITS = /(?<![\p{L}\p{N}])\d+(?![\p{L}\p{N}])/gu

/** Separators that people write between the groups of a number. */
const BETWEEN = /^[ \-\p{Pd}._/,]{1,2}$/u

/** Identifiers that people write in texts: one in 40,000 begins with a card number. */
const UUIDS = /(?<![\p{L}\p{N}])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\p{L}\p{N}])/giu

/** The shortest and the longest card number, in digits. */
const LEAST_DIGITS = 13
const MOST_DIGITS = 19

/**
 * Returns whether a text has enough digits for a card number. A loop is used because every text is
 * checked and a regular expression takes twenty times as long.
 */
const hasEnoughDigits = (text: string): boolean => {
  let digits = 0
  for (let at = 0; at < text.length && digits < LEAST_DIGITS; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) digits += 1
  }
  return digits === LEAST_DIGITS
}

const sumsUp = (digits: string): boolean => {
  let sum = 0
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at])
    const weighed = at % 2 === 0 ? digit : digit * 2
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return sum % 10 === 0
}

const isCardNumber = (digits: string): boolean =>
  BRANDS.some(([prefix, lengths]) => prefix.test(digits) && lengths.includes(digits.length)) &&
  sumsUp(digits)

/**
 * Returns whether a text holds a card number, by its issuer's first digits, its length and its
 * check digit (Luhn), in any grouping and beside any other numbers. Card numbers are never stored.
 */
export const holdsCardNumber = (given: string): boolean => {
  const text = PLAIN.test(given) ? given : given.normalize("NFKC")
  if (!hasEnoughDigits(text)) return false
  const groups = [...text.replaceAll(UUIDS, "id").matchAll(DIGITS)]
  return groups.some((first, at) => {
    let digits = ""
    let end = first.index
    for (const { 0: group, index } of groups.slice(at, at + MOST_DIGITS)) {
      if (digits !== "" && !BETWEEN.test(text.slice(end, index))) return false
      digits += group
      end = index + group.length
      if (digits.length > MOST_DIGITS) return false
      if (isCardNumber(digits)) return true
    }
    return false
  })
}

/** A {@link block} for descriptions by people. It must not hold a card number. */
export const description = (max: number) =>
  block(max).check(
    Schema.makeFilter((text: string) =>
      holdsCardNumber(text) ? "must hold no card number" : undefined,
    ),
  )

/**
 * Returns the key for comparing names: trimmed, canonically composed, without regard to case, to
 * invisible characters and to the kind of space. Lower-casing twice unites characters with several
 * lower-case forms, such as `σ` and `ς`, `ß` and `ss`.
 */
export const nameKey = (name: string): string =>
  name
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/\s+/g, " ")
    .trim()
    .normalize("NFC")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize("NFC")

/**
 * Returns the keys of an object in order, by their UTF-16 code units. Objects of requests have few
 * keys, for which the engine's own sort takes longer to set up than this takes.
 */
const sortedKeys = (value: object): ReadonlyArray<string> => {
  const keys = Object.keys(value)
  if (keys.length > FEW) return keys.sort()
  for (let at = 1; at < keys.length; at += 1) {
    const key = keys[at] ?? ""
    let to = at
    for (; to > 0 && (keys[to - 1] ?? "") > key; to -= 1) keys[to] = keys[to - 1] ?? ""
    keys[to] = key
  }
  return keys
}

const FEW = 32

/** Characters that JSON writes between quotes without escaping. */
const UNESCAPED = /^[ !#-[\]-~]*$/

const quoted = (text: string): string => (UNESCAPED.test(text) ? `"${text}"` : JSON.stringify(text))

/** The most field names that are cached with their quotes, and the longest, in characters. */
const NAMES_KEPT = 1_024
const LONGEST_KEPT = 64

const names = new Map<string, string>()

/** Returns a field's name with its quotes and colon, cached because the same few names repeat. */
const fieldName = (name: string): string => {
  const known = names.get(name)
  if (known !== undefined) return known
  const made = `${quoted(name)}:`
  if (names.size >= NAMES_KEPT) names.clear()
  if (name.length <= LONGEST_KEPT) names.set(name, made)
  return made
}

/** Returns JSON with the keys of every object in order: equal for equal values. */
export const canonicalJson = (value: unknown): string => {
  if (typeof value === "string") return quoted(value)
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  let text = "{"
  for (const key of sortedKeys(value)) {
    const field: unknown = Reflect.get(value, key)
    if (field === undefined) continue
    if (text !== "{") text += ","
    text += fieldName(key) + canonicalJson(field)
  }
  return `${text}}`
}
