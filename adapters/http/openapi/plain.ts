import type { Json } from "./parts.ts"

const NUMBERED = /^(.+)_\d+$/

/** Returns the name of a component. Copies of one schema share a component. */
export const componentName = (name: string, known: ReadonlySet<string>): string => {
  const base = NUMBERED.exec(name)?.[1]
  return base !== undefined && known.has(base) ? base : name
}

const REFERENCE = /^#\/components\/schemas\/(.+)$/

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Returns a schema with its `allOf` merged into one object. JSON Schema 2020-12 allows a
 * description beside a `$ref`, so readers need not merge anything.
 */
const joined = (schema: Json): Json => {
  const { allOf, ...own } = schema
  if (!Array.isArray(allOf) || !allOf.every(isObject)) return schema
  const others = allOf.map(joined)
  const whole: { [key: string]: unknown } = { ...own }
  for (const [key, value] of others.flatMap((one) => Object.entries(one))) {
    // The description of the field comes last and overrides that of its type.
    if (key in whole && key !== "description") return schema
    whole[key] = value
  }
  return whole
}

/**
 * Returns the document without what effect adds for its own clients, with one component per schema,
 * and open to new fields.
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
