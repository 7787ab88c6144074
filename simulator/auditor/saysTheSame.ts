import { canonicalJson } from "../../core/shared/Text.ts"

/**
 * Whether two values are equal as JSON, regardless of the order of their fields. Most compared
 * values have the same order, for which the engine's own JSON is several times as fast.
 */
export const saysTheSame = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b) || canonicalJson(a) === canonicalJson(b)

/** Returns a value as a finding shows it: at most as much as fits in a line. */
const shown = (value: unknown): string => {
  const text = value === undefined ? "nothing" : JSON.stringify(value)
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`
}

const isObject = (value: unknown): value is { readonly [field: string]: unknown } =>
  typeof value === "object" && value !== null

/**
 * Returns the first difference of two values, innermost field first, such as `amount.value: 700,
 * not 699`; undefined if they are equal as JSON. `ignored` fields of the record itself do not
 * count.
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
  // In JSON, null in a field differs from a missing field.
  const field = [...fields].find(
    (name) => (expected[name] === undefined) !== (seen[name] === undefined),
  )
  return field === undefined
    ? "another order"
    : `${field}: ${shown(seen[field])}, not ${shown(expected[field])}`
}
