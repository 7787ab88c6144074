/** The reason of a field that is missing. */
export const REQUIRED = "is required"

/** What callers know a schema by, for those that the decoder would call by a name of ours. */
const SHOWN_AS: { readonly [expected: string]: string } = {
  PayableMoney: 'an object such as {"currency": "USD", "value": 699}',
  number: "a number",
  string: "a text",
  boolean: "true or false",
  object: "an object",
  array: "a list",
}

/** Returns what a field must be, from the decoder's message about it. */
export const reasonFor = (message: string): string => {
  if (message === "Missing key") return REQUIRED
  if (!message.startsWith("Expected ")) return message
  const expected = message.slice("Expected ".length)
  return `must be ${SHOWN_AS[expected] ?? expected}`
}
