import { grouped } from "../../../core/shared/Money.ts"
import { document, refName, type SchemaNode } from "./OpenApi.ts"

/** Returns the link to a component's section, or only its name. */
export type LinkOf = (component: string) => string

const code = (value: unknown): string => `\`${JSON.stringify(value)}\``

const numbered = (count: number, unit: string): string => {
  const written = grouped(count)
  return unit === "" ? written : `${written} ${unit}${count === 1 ? "" : "s"}`
}

/** `1 to 64 characters`, `at least 1 item`, `at most 100`. */
const between = (
  least: number | undefined,
  most: number | undefined,
  unit: string,
): ReadonlyArray<string> => {
  if (least === undefined && most === undefined) return []
  if (least === undefined) return [`at most ${numbered(most ?? 0, unit)}`]
  if (most === undefined) return [`at least ${numbered(least, unit)}`]
  return [least === most ? numbered(most, unit) : `${grouped(least)} to ${numbered(most, unit)}`]
}

/** Describes the allowed values in a few words each. */
export const bounds = (schema: SchemaNode): ReadonlyArray<string> => {
  const isNumber = schema.type === "integer" || schema.type === "number"
  const { maxItems, maxLength, maximum, minItems, minLength, minimum } = schema
  // A bound that every JSON number satisfies is not shown.
  const least = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined
  const most = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined
  return [
    ...(isNumber ? between(least, most, "") : []),
    ...between(minLength, maxLength, "character"),
    ...between(minItems, maxItems, "item"),
    ...(schema.default === undefined ? [] : [`${code(schema.default)} where it is left out`]),
  ]
}

const isNull = (schema: SchemaNode): boolean => schema.type === "null"

/** Removes null from a union with null. */
const notNull = (schema: SchemaNode): SchemaNode => {
  const others = schema.anyOf?.filter((one) => !isNull(one)) ?? []
  return others.length === 1 && others[0] !== undefined ? others[0] : schema
}

/** Describes the type of a value in a few words. */
export const typeName = (schema: SchemaNode, linkOf: LinkOf): string => {
  if (schema.$ref !== undefined) return linkOf(refName(schema.$ref))
  if (schema.enum !== undefined) {
    const values = schema.enum.map(code)
    return values.length === 1 ? (values[0] ?? "") : `one of ${values.join(", ")}`
  }
  if (schema.anyOf !== undefined) {
    return [...new Set(schema.anyOf.map((one) => typeName(one, linkOf)))].join(" or ")
  }
  if (schema.type === "array" && schema.items !== undefined) {
    return `array of ${typeName(notNull(schema.items), linkOf)}`
  }
  const items = schema.properties?.["data"]?.items
  if (items !== undefined) return `a page of ${typeName(items, linkOf)}`
  if (schema.format !== undefined) return schema.format === "date-time" ? "time" : schema.format
  if (Array.isArray(schema.type)) return schema.type.join(" or ")
  return typeof schema.type === "string" ? schema.type : "any JSON"
}

/** Returns the objects whose fields are listed under a field: its own, or those of its items. */
const objectsOf = (schema: SchemaNode): ReadonlyArray<SchemaNode> => {
  if (schema.properties !== undefined) return [schema]
  if (schema.items !== undefined) return objectsOf(schema.items)
  return (schema.anyOf ?? []).flatMap(objectsOf)
}

/** Returns the description of a field, or of its type. */
const textOf = (schema: SchemaNode): string | undefined => {
  const target =
    schema.$ref === undefined ? undefined : document.components.schemas[refName(schema.$ref)]
  const single = notNull(schema)
  const own = schema.description ?? target?.description
  return own ?? (single === schema ? undefined : textOf(single))
}

const fieldLines = (
  [name, schema]: readonly [string, SchemaNode],
  required: boolean,
  linkOf: LinkOf,
  depth: number,
): ReadonlyArray<string> => {
  const inner = objectsOf(schema)
  const facts = [typeName(schema, linkOf), ...(required ? ["required"] : []), ...bounds(schema)]
  const text = textOf(schema)
  const about = text === undefined ? "" : `: ${text}`
  return [
    `${"  ".repeat(depth)}- \`${name}\` *${facts.join(", ")}*${about}`,
    ...inner.flatMap((one) => fieldsOf(one, linkOf, depth + 1)),
  ]
}

/** Lists the fields of an object, each with its type, whether it is required, and its meaning. */
export const fieldsOf = (schema: SchemaNode, linkOf: LinkOf, depth = 0): ReadonlyArray<string> => {
  const needed = new Set(schema.required)
  const seen = new Set<string>()
  return Object.entries(schema.properties ?? {}).flatMap((field) => {
    if (seen.has(field[0])) return []
    seen.add(field[0])
    return fieldLines(field, needed.has(field[0]), linkOf, depth)
  })
}

/** Lists the fields of a component that may be one of several objects. */
export const componentFields = (schema: SchemaNode, linkOf: LinkOf): ReadonlyArray<string> => {
  if (schema.properties !== undefined) return fieldsOf(schema, linkOf)
  const variants = (schema.anyOf ?? []).filter((one) => one.properties !== undefined)
  return variants.flatMap((one, n) => [
    `${n === 0 ? "" : "\n"}${n === 0 ? "Either" : "Or"}:\n`,
    ...fieldsOf(one, linkOf),
  ])
}
