import type { Json } from "./parts.ts"

const NUMBERED = /^(.+)_\d+$/

/** The name that a component goes by: copies of one schema are one component. */
export const componentName = (name: string, known: ReadonlySet<string>): string => {
  const base = NUMBERED.exec(name)?.[1]
  return base !== undefined && known.has(base) ? base : name
}

const REFERENCE = /^#\/components\/schemas\/(.+)$/

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * A schema whose `allOf` only adds to it, as one object: JSON Schema 2020-12 lets a description
 * stand beside a `$ref`, and readers need not join anything.
 */
const joined = (schema: Json): Json => {
  const { allOf, ...own } = schema
  if (!Array.isArray(allOf) || !allOf.every(isObject)) return schema
  const others = allOf.map(joined)
  const whole: { [key: string]: unknown } = { ...own }
  for (const [key, value] of others.flatMap((one) => Object.entries(one))) {
    // What the field means here is said last, and goes before what its type means everywhere.
    if (key in whole && key !== "description") return schema
    whole[key] = value
  }
  return whole
}

/**
 * The document with what makes sense to everybody: without what effect adds for its own clients,
 * with one component for every schema, and open to fields that come later.
 */
export const plain = (value: unknown, known: ReadonlySet<string>): unknown => {
  if (Array.isArray(value)) return value.map((item) => plain(item, known))
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(joined(value as Json)).filter(
    ([key, item]) =>
      key !== "x-effect-stream" && !(key === "additionalProperties" && item === false),
  )
  return Object.fromEntries(
    entries.map(([key, item]) => {
      const target = key === "$ref" ? REFERENCE.exec(String(item))?.[1] : undefined
      return target === undefined
        ? [key, plain(item, known)]
        : [key, `#/components/schemas/${componentName(target, known)}`]
    }),
  )
}
