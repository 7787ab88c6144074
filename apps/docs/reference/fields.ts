import { FIELDS } from "./fieldTexts.ts"
import { document, refName, type SchemaNode } from "./OpenApi.ts"

/** Gives the link to a component's section, or its name alone. */
export type LinkOf = (component: string) => string

const code = (value: unknown): string => `\`${JSON.stringify(value)}\``

export const bounds = (schema: SchemaNode): ReadonlyArray<string> => {
  const isNumber = schema.type === "integer" || schema.type === "number"
  const least = schema.minimum !== undefined && schema.minimum > Number.MIN_SAFE_INTEGER
  const most = schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER
  return [
    ...(isNumber && least ? [`at least ${schema.minimum}`] : []),
    ...(isNumber && most ? [`at most ${schema.maximum}`] : []),
    ...(schema.minLength === undefined ? [] : [`at least ${schema.minLength} characters`]),
    ...(schema.maxLength === undefined ? [] : [`at most ${schema.maxLength} characters`]),
    ...(schema.minItems === undefined ? [] : [`at least ${schema.minItems} items`]),
    ...(schema.maxItems === undefined ? [] : [`at most ${schema.maxItems} items`]),
    ...(schema.default === undefined ? [] : [`${code(schema.default)} where it is left out`]),
  ]
}

const isNull = (schema: SchemaNode): boolean => schema.type === "null"

/** A union of a thing and null, without the null. */
const notNull = (schema: SchemaNode): SchemaNode => {
  const others = schema.anyOf?.filter((one) => !isNull(one)) ?? []
  return others.length === 1 && others[0] !== undefined ? others[0] : schema
}

/** What a value is, in a few words. */
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

/** The objects whose fields are listed below a field: its own, or those of its items. */
const objectsOf = (schema: SchemaNode): ReadonlyArray<SchemaNode> => {
  if (schema.properties !== undefined) return [schema]
  if (schema.items !== undefined) return objectsOf(schema.items)
  return (schema.anyOf ?? []).flatMap(objectsOf)
}

const isMoney = ({ properties = {} }: SchemaNode): boolean =>
  Object.keys(properties).join() === "currency,value"

/** What a field means: as the contract says it, or what fields of that name mean everywhere. */
export const textOf = (name: string, schema: SchemaNode): string | undefined => {
  const target =
    schema.$ref === undefined ? undefined : document.components.schemas[refName(schema.$ref)]
  const own = schema.description ?? notNull(schema).description ?? target?.description
  return own ?? (isMoney(notNull(schema)) ? "A sum of money." : FIELDS[name])
}

const fieldLines = (
  [name, schema]: readonly [string, SchemaNode],
  required: boolean,
  linkOf: LinkOf,
  depth: number,
): ReadonlyArray<string> => {
  const inner = objectsOf(schema)
  const facts = [typeName(schema, linkOf), ...(required ? ["required"] : []), ...bounds(schema)]
  const text = textOf(name, schema)
  const about = text === undefined ? "" : `: ${text}`
  return [
    `${"  ".repeat(depth)}- \`${name}\` *${facts.join(", ")}*${about}`,
    ...inner.flatMap((one) => fieldsOf(one, linkOf, depth + 1)),
  ]
}

/** The fields of an object as a list, each with its type, whether it is needed, what it means. */
export const fieldsOf = (schema: SchemaNode, linkOf: LinkOf, depth = 0): ReadonlyArray<string> => {
  const needed = new Set(schema.required)
  const seen = new Set<string>()
  return Object.entries(schema.properties ?? {}).flatMap((field) => {
    if (seen.has(field[0])) return []
    seen.add(field[0])
    return fieldLines(field, needed.has(field[0]), linkOf, depth)
  })
}

/** The fields of a component that may be one of several objects. */
export const componentFields = (schema: SchemaNode, linkOf: LinkOf): ReadonlyArray<string> => {
  if (schema.properties !== undefined) return fieldsOf(schema, linkOf)
  const variants = (schema.anyOf ?? []).filter((one) => one.properties !== undefined)
  return variants.flatMap((one, n) => [
    `${n === 0 ? "" : "\n"}${n === 0 ? "Either" : "Or"}:\n`,
    ...fieldsOf(one, linkOf),
  ])
}
