import { canonicalJson } from "../../core/shared/Text.ts"

/**
 * Whether two values say the same in JSON, in whatever order their fields stand. Most that are
 * compared do so in the same order, which the engine's own JSON tells several times as fast.
 */
export const saysTheSame = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b) || canonicalJson(a) === canonicalJson(b)

/** What a finding says of a field: never more of a value than fits in a line. */
const shown = (value: unknown): string => {
  const text = value === undefined ? "nothing" : JSON.stringify(value)
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`
}

const isObject = (value: unknown): value is { readonly [field: string]: unknown } =>
  typeof value === "object" && value !== null

/**
 * Where the second of two values differs from the first, innermost field first found, such as
 * `amount.value: 700, not 699`; undefined where they say the same. Fields of the record itself
 * that are `ignored` do not count.
 */
export const difference = (
  expected: unknown,
  seen: unknown,
  ignored: ReadonlyArray<string> = [],
): string | undefined => {
  if (saysTheSame(expected, seen)) return undefined
  if (!isObject(expected) || !isObject(seen)) return `${shown(seen)}, not ${shown(expected)}`
  const fields = new Set([...Object.keys(expected), ...Object.keys(seen)])
  for (const field of fields) {
    if (ignored.includes(field)) continue
    const inner = difference(expected[field], seen[field])
    if (inner === undefined) continue
    const isLeaf = !isObject(expected[field]) || !isObject(seen[field])
    return isLeaf ? `${field}: ${inner}` : `${field}.${inner}`
  }
  if (ignored.length > 0) return undefined
  // To JSON, null in a field and a field that is not there are two things.
  const field = [...fields].find(
    (name) => (expected[name] === undefined) !== (seen[name] === undefined),
  )
  return field === undefined
    ? "another order"
    : `${field}: ${shown(seen[field])}, not ${shown(expected[field])}`
}
