import { toIso } from "../../../core/shared/Timestamp.ts"
import { quote } from "../tables/codecs.ts"

const scalarText = (value: unknown): string => {
  if (value instanceof Date) return toIso(value.getTime())
  if (typeof value === "string") return value
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") {
    return String(value)
  }
  throw new TypeError(`A statement cannot take ${typeof value} as a parameter.`)
}

/** Returns a parameter as the server reads it, independent of the host's driver. */
export const parameterText = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  if (!Array.isArray(value)) return scalarText(value)
  return `{${value.map((one) => (one === null ? "NULL" : quote(scalarText(one)))).join()}}`
}

const ITEM = /(?:^\{|,)(?:"((?:[^"\\]|\\.)*)"|([^,"}]*))/gsy

/** Returns the elements of a one-dimensional array, as the server writes it. */
const elementsOf = (text: string): ReadonlyArray<string | null> => {
  if (text === "{}") return []
  const found: Array<string | null> = []
  ITEM.lastIndex = 0
  for (let item = ITEM.exec(text); item !== null; item = ITEM.exec(text)) {
    const [, quoted, bare = ""] = item
    found.push(quoted?.replace(/\\(.)/gs, "$1") ?? (bare === "NULL" ? null : bare))
  }
  return found
}

const TIME =
  /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?([+-]\d\d)(?::?(\d\d))?(?::\d\d)?$/

const timeOf = (text: string): Date => {
  const [, day, time, fraction = "0", hours, minutes = "00"] = TIME.exec(text) ?? []
  if (day === undefined) {
    throw new TypeError("A time is not written as ISO 8601 has it: the pool has to keep DateStyle.")
  }
  return new Date(`${day}T${time}.${fraction.padEnd(3, "0")}${hours}:${minutes}`)
}

type Reader = (text: string) => unknown

const asIs: Reader = (text) => text

/** The parser of each type, by its number, which is the same on every server. Others are text. */
const READERS: { readonly [type: number]: Reader } = {
  16: (text) => text === "t",
  20: BigInt,
  21: Number,
  23: Number,
  26: Number,
  114: (text) => JSON.parse(text) as unknown,
  700: Number,
  701: Number,
  1003: elementsOf,
  1009: elementsOf,
  1015: elementsOf,
  1184: timeOf,
  2951: elementsOf,
  3802: (text) => JSON.parse(text) as unknown,
}

/** `pg` turns what this throws into the failure of the query. */
const binary: Reader = () => {
  throw new TypeError("Values come in binary form: remove `binary` from the pool's options.")
}

/**
 * Parses values as our own connections do, instead of with the host's parsers. `pg` takes this form
 * with a query.
 */
export const HOST_TYPES = {
  getTypeParser: (type: number, format?: string): Reader =>
    format === "binary" ? binary : (READERS[type] ?? asIs),
}
