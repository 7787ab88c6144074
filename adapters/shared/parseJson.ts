import { Result } from "effect"
import { parse } from "secure-json-parse"
import { Failure } from "../../core/shared/Failure.ts"
import { flawOfLarge } from "./largeJson.ts"

/** The deepest nesting of objects and arrays. */
export const MAX_DEPTH = 32

/**
 * The most members of all objects and arrays. A hundred queries with all their fields have 800. A
 * hundred thousand would block the thread during decoding.
 */
export const MAX_MEMBERS = 2_000

const utf8 = new TextDecoder("utf-8", { fatal: true })

const invalid = (message: string) => Result.fail(new Failure({ code: "INVALID_JSON", message }))

type Json = { readonly [key: string]: unknown }

const NUL_OR_LONE = /\u0000|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/**
 * Returns the flaw of a parsed value: too deep, too many members, or a text that databases cannot
 * store. `counted` holds the members so far. Only an escape can put such a text into valid UTF-8,
 * so `texts` are checked only if there is one.
 */
const flaw = (
  value: unknown,
  texts: boolean,
  depth: number,
  counted: { members: number },
): string | undefined => {
  if (typeof value === "string") {
    return texts && NUL_OR_LONE.test(value)
      ? "The body holds \\u0000 or half of a surrogate pair."
      : undefined
  }
  if (typeof value !== "object" || value === null) return undefined
  if (depth > MAX_DEPTH) return `The body is deeper than ${MAX_DEPTH} levels.`
  const keys = Object.keys(value)
  counted.members += keys.length
  if (counted.members > MAX_MEMBERS) {
    return `The body holds more than ${MAX_MEMBERS} members of objects and arrays.`
  }
  for (const key of keys) {
    const item: unknown = Reflect.get(value, key)
    const found =
      (texts ? flaw(key, texts, depth, counted) : undefined) ??
      flaw(item, texts, depth + 1, counted)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Parses a JSON object. The last of repeated keys counts, as everywhere in JavaScript.
 *
 * Fails with `INVALID_JSON` for bytes that are no UTF-8, no JSON or no object, that are deeper than
 * 32 levels, that hold more than 2,000 members, or that hold a key which reaches for an object's
 * prototype, `\u0000` or half of a surrogate pair. It also fails, before parsing, for bodies over
 * 64 KiB that are not just a few long strings.
 */
export const parseJson = (bytes: Uint8Array): Result.Result<Json, Failure> => {
  const large = flawOfLarge(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (large !== undefined) return invalid(large)
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return invalid("The body is not valid UTF-8.")
  }
  let value: unknown
  try {
    value = parse(text)
  } catch {
    return invalid(
      /"(?:__proto__|constructor)"\s*:/.test(text)
        ? "The body is not valid JSON, or holds a key that reaches for a prototype."
        : "The body is not valid JSON.",
    )
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return invalid("The body has to be a JSON object.")
  }
  const found = flaw(value, text.includes("\\u"), 1, { members: 0 })
  return found === undefined ? Result.succeed(value as Json) : invalid(found)
}
