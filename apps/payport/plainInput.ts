import { Result } from "effect"
import { type Failure, invalidField } from "../../core/shared/Failure.ts"

/** How deep an input may be nested, and how many values it may hold. */
const DEPTH = 32
const MOST_VALUES = 10_000

/** Characters that no store can hold and no JSON text should hold. */
const UNSTORABLE = /\u0000|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

class Refused extends Error {
  readonly field: string
  readonly reason: string

  constructor(field: string, reason: string) {
    super(reason)
    this.field = field
    this.reason = reason
  }
}

interface Left {
  values: number
  characters: number
}

const inside = (field: string, key: string): string => (field === "" ? key : `${field}.${key}`)

const text = (value: string, field: string, left: Left): string => {
  left.characters -= value.length
  if (left.characters < 0) throw new Refused(field, "is too long")
  if (UNSTORABLE.test(value))
    throw new Refused(field, "must be text without NUL and unpaired surrogates")
  return value
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

const fields = (value: object, field: string, depth: number, left: Left): object => {
  const copied: { [key: string]: unknown } = {}
  for (const key of Object.keys(value)) {
    const named = inside(field, key.slice(0, 128))
    if (key === "__proto__") throw new Refused(named, "is not an allowed field name")
    const held: unknown = Reflect.get(value, key)
    if (held !== undefined) copied[text(key, named, left)] = copy(held, named, depth, left)
  }
  return copied
}

const copy = (value: unknown, field: string, depth: number, left: Left): unknown => {
  left.values -= 1
  if (left.values < 0) throw new Refused(field, "exceeds the limit of values")
  if (value === null || typeof value === "boolean") return value
  if (typeof value === "string") return text(value, field, left)
  if (typeof value === "number" && Number.isFinite(value)) return value
  if (typeof value !== "object") {
    throw new Refused(
      field,
      "must be a JSON value: a string, a number, true, false, null, an array or an object",
    )
  }
  if (depth === 0) throw new Refused(field, "is nested too deep")
  if (Array.isArray(value)) {
    if (value.length > left.values) throw new Refused(field, "is too long")
    return Array.from(value, (item, n) => copy(item, inside(field, String(n)), depth - 1, left))
  }
  if (!isPlain(value)) throw new Refused(field, "must be a plain object")
  return fields(value, field, depth - 1, left)
}

/**
 * Copies an input as JSON would hold it, so that nobody changes it during the call. Leaves out
 * undefined fields. Refuses values that JSON does not have, with their place, and inputs whose
 * strings together have more than `characters` characters.
 */
export const plainInput = (
  value: unknown,
  characters: number,
): Result.Result<unknown, Failure<"INVALID_REQUEST">> => {
  try {
    const left = { values: MOST_VALUES, characters }
    return Result.succeed(copy(value, "", DEPTH, left))
  } catch (error) {
    // A throwing property of the host is refused like a value that JSON does not have.
    const { field, reason } =
      error instanceof Refused ? error : { field: "", reason: "cannot be read" }
    return Result.fail(invalidField(field === "" ? "input" : field, reason))
  }
}
