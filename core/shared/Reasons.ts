/** The reason of a field that is missing. */
export const REQUIRED = "is required"

/** What callers know a schema by, for those that the decoder would call by a name of ours. */
const SHOWN_AS: { readonly [expected: string]: string } = {
  PayableMoney: 'an object such as {"currency": "USD", "value": 699}',
  number: "a number",
  "an integer": "a whole number",
  string: "a text",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  "JSON value": "a JSON value",
}

const [QUOTE, ESCAPE] = ['"', "\\"]
const BETWEEN = " | "

/** Splits what the decoder expects into alternatives: no `|` within quotes or brackets counts. */
const alternativesOf = (expected: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let [start, depth, isQuoted] = [0, 0, false]
  for (let at = 0; at < expected.length; at++) {
    const sign = expected[at] ?? ""
    if (isQuoted && sign === ESCAPE) at++
    else if (sign === QUOTE) isQuoted = !isQuoted
    else if (isQuoted) continue
    else if ("{[(<".includes(sign)) depth++
    else if ("}])>".includes(sign)) depth--
    else if (depth === 0 && expected.startsWith(BETWEEN, at)) {
      found.push(expected.slice(start, at))
      start = at + BETWEEN.length
    }
  }
  return [...found, expected.slice(start)]
}

/** Whether it is the name of one of our schemas, or a type as the source writes it. */
const isObjectOfOurs = (expected: string): boolean => /^(?:[A-Z][A-Za-z0-9]*$|\{ )/.test(expected)

/** Returns what callers know one alternative by. */
const plain = (expected: string): string => {
  const known = SHOWN_AS[expected]
  if (known !== undefined) return known
  if (/^(?:readonly )?(?:\[|(?:Readonly)?Array<)/.test(expected)) return "a list"
  return isObjectOfOurs(expected) ? "an object" : expected
}

/** Joins alternatives as `a, b or c`. */
const joined = (alternatives: ReadonlyArray<string>): string => {
  const last = alternatives.at(-1) ?? ""
  const others = alternatives.slice(0, -1)
  return others.length === 0 ? last : `${others.join(", ")} or ${last}`
}

/** Returns what a field must be, from the decoder's message about it. */
export const reasonFor = (message: string): string => {
  if (message === "Missing key") return REQUIRED
  if (!message.startsWith("Expected ")) return message
  const expected = message.slice("Expected ".length)
  if (expected === "a value with a length of at least 1") return "must not be empty"
  const length = /^a value with (a length .+)$/.exec(expected)?.[1]
  if (length !== undefined) return `must have ${length}`
  return `must be ${joined([...new Set(alternativesOf(expected).map(plain))])}`
}
