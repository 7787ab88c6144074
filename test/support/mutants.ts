import { SchemaAST } from "effect"

type Json = { readonly [key: string]: unknown }

/** A field of a schema: its path and the kind of its value. */
export interface Field {
  readonly path: ReadonlyArray<string>
  readonly takes: "text" | "number" | "boolean" | "enum" | "object" | "array" | "anything"
  readonly required: boolean
}

const kindOf = (ast: SchemaAST.AST): Field["takes"] => {
  if (SchemaAST.isString(ast)) return "text"
  if (SchemaAST.isNumber(ast)) return "number"
  if (SchemaAST.isBoolean(ast)) return "boolean"
  if (SchemaAST.isLiteral(ast)) return "enum"
  if (SchemaAST.isObjects(ast)) return ast.indexSignatures.length > 0 ? "anything" : "object"
  if (SchemaAST.isArrays(ast)) return "array"
  if (SchemaAST.isUnion(ast)) {
    const kinds = new Set(ast.types.filter((type) => !SchemaAST.isNull(type)).map(kindOf))
    const [kind = "anything"] = kinds
    return kinds.size === 1 ? kind : "anything"
  }
  return "anything"
}

/** Returns the fields of a schema at every depth, including those of an array's first item. */
export const fieldsOf = (
  schema: SchemaAST.AST,
  path: ReadonlyArray<string> = [],
): ReadonlyArray<Field> => {
  const ast = SchemaAST.toEncoded(schema)
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap((type) => fieldsOf(type, path))
  if (SchemaAST.isArrays(ast)) {
    const [item] = [...ast.elements, ...ast.rest]
    if (item === undefined) return []
    const at = [...path, "0"]
    return [{ path: at, takes: kindOf(item), required: false }, ...fieldsOf(item, at)]
  }
  if (!SchemaAST.isObjects(ast)) return []
  return ast.propertySignatures.flatMap((property) => {
    const at = [...path, String(property.name)]
    const required = !SchemaAST.isOptional(property.type)
    return [{ path: at, takes: kindOf(property.type), required }, ...fieldsOf(property.type, at)]
  })
}

/** Marks text that `JSON.stringify` cannot write. The mark is replaced by the text afterwards. */
const raw = (text: string): string => `@@${text}@@`

/** Wrong values for a field. */
export const VALUES: ReadonlyArray<readonly [name: string, value: unknown]> = [
  ["missing", undefined],
  ["null", null],
  ["a boolean", true],
  ["zero", 0],
  ["a negative number", -1],
  ["a fraction", 1.5],
  ["too large a number", 9_007_199_254_740_994],
  ["a huge number", raw("1e400")],
  ["an empty text", ""],
  ["blanks", "  \t "],
  ["an unknown word", "unknown-word"],
  ["a long text", "x".repeat(5_000)],
  ["a very long text", "x".repeat(50_000)],
  ["a control character", "a\u0007b"],
  ["an override of direction", "a\u202eb"],
  ["an isolate of direction", "a\u2066b"],
  ["half of a surrogate pair", raw(`"a\\ud83d"`)],
  ["a NUL", raw(`"a\\u0000b"`)],
  ["an empty list", []],
  ["a list of a list", [[]]],
  ["an empty object", {}],
  ["an object", { unexpected: { nested: true } }],
  ["something deep", raw(`${"[".repeat(40)}${"]".repeat(40)}`)],
  ["a prototype", raw(`{"__proto__":{"admin":true}}`)],
]

const put = (target: unknown, path: ReadonlyArray<string>, value: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (Array.isArray(target) || (key === "0" && typeof target !== "object")) {
    const list = Array.isArray(target) ? [...target] : []
    const item = put(list[0], rest, value)
    return item === undefined ? list.slice(1) : [item, ...list.slice(1)]
  }
  const object: Json = typeof target === "object" && target !== null ? { ...target } : {}
  return { ...object, [key]: put(object[key], rest, value) }
}

/**
 * Returns the text of a body in which one field has another value; undefined leaves the field out.
 */
export const mutant = (base: Json, path: ReadonlyArray<string>, value: unknown): string =>
  JSON.stringify(put(base, path, value)).replaceAll(
    /"@@((?:[^"\\]|\\.)*)@@"/g,
    (_match, text: string) => JSON.parse(`"${text}"`) as string,
  )
