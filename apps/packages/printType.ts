import { SchemaAST } from "effect"
import { OPTIONAL } from "./optional.ts"

/** Named types with their declarations, in the order in which they were found. */
export type Declared = Map<string, string>

const textOf = (annotations: object | undefined, name: string): string | undefined => {
  const text: unknown = Reflect.get(annotations ?? {}, name)
  return typeof text === "string" ? text : undefined
}

/** A docstring in lines of at most 100 columns. */
export const docstring = (text: string | undefined): string => {
  if (text === undefined) return ""
  const lines = [""]
  for (const word of text.replaceAll("*/", "* /").split(/\s+/)) {
    const line = `${lines.at(-1) ?? ""} ${word}`
    if (line.length > 79) lines.push(` ${word}`)
    else lines[lines.length - 1] = line
  }
  return lines.length === 1
    ? `/**${lines[0] ?? ""} */\n`
    : `/**\n${lines.map((line) => ` *${line}`).join("\n")}\n */\n`
}

const keyOf = (name: PropertyKey): string =>
  /^[A-Za-z_]\w*$/.test(String(name)) ? String(name) : JSON.stringify(String(name))

const descriptionOf = ({ annotations, checks, context }: SchemaAST.AST): string | undefined =>
  textOf(context?.annotations, "description") ??
  textOf(checks?.at(-1)?.annotations, "description") ??
  textOf(annotations, "description")

const objectType = (ast: SchemaAST.Objects, declared: Declared): string => {
  const fields = ast.propertySignatures.map(({ name, type }) => {
    const isNamed = SchemaAST.resolveIdentifier(type) !== undefined
    const about = isNamed ? textOf(type.context?.annotations, "description") : descriptionOf(type)
    const [mark, end] = SchemaAST.isOptional(type) ? ["?", OPTIONAL] : ["", ""]
    return `${docstring(about)}readonly ${keyOf(name)}${mark}: ${typeOf(type, declared)}${end}`
  })
  const others = ast.indexSignatures.map(
    ({ type }) => `readonly [name: string]: ${typeOf(type, declared)}`,
  )
  return `{\n${[...fields, ...others].join("\n")}\n}`
}

const arrayType = (ast: SchemaAST.Arrays, declared: Declared): string => {
  const [rest] = ast.rest
  if (ast.elements.length === 0 && rest !== undefined) {
    return `ReadonlyArray<${typeOf(rest, declared)}>`
  }
  const tail = rest === undefined ? [] : [`...ReadonlyArray<${typeOf(rest, declared)}>`]
  return `readonly [${[...ast.elements.map((one) => typeOf(one, declared)), ...tail].join(", ")}]`
}

const unnamed = (ast: SchemaAST.AST, declared: Declared): string => {
  switch (ast._tag) {
    case "String":
    case "TemplateLiteral":
      return "string"
    case "Number":
      return "number"
    case "Boolean":
      return "boolean"
    case "Null":
      return "null"
    case "Unknown":
      return "unknown"
    case "Literal":
      return JSON.stringify(ast.literal)
    case "Union":
      return [...new Set(ast.types.map((one) => typeOf(one, declared)))].join(" | ")
    case "Objects":
      return objectType(ast, declared)
    case "Arrays":
      return arrayType(ast, declared)
    case "Declaration": {
      const name = textOf(ast.annotations, "expected")
      if (name === "Uint8Array") return name
      if (name === "JSON value") return "Json"
      throw new Error(`The SDK has no type for ${name ?? "a declaration without a name"}.`)
    }
    default:
      throw new Error(`The SDK has no type for ${ast._tag}.`)
  }
}

const shapeOf = (text: string): string => text.replaceAll(/\/\*\*[^]*?\*\/|\s/g, "")

/** The TypeScript type of a Schema's values; those with an identifier are declared by it. */
export const typeOf = (ast: SchemaAST.AST, declared: Declared): string => {
  const name = SchemaAST.resolveIdentifier(ast)
  if (name === undefined) return unnamed(ast, declared)
  const before = declared.get(name)
  // A type that is being declared may name itself.
  if (before === undefined) declared.set(name, "")
  else if (before === "") return name
  const type = unnamed(ast, declared)
  const head = ast._tag === "Objects" ? `interface ${name}` : `type ${name} =`
  const text = `${docstring(descriptionOf(ast))}export ${head} ${type}\n`
  if (before !== undefined && shapeOf(before) !== shapeOf(text)) {
    throw new Error(`Two types are called ${name}: give one of them another identifier.`)
  }
  declared.set(name, before ?? text)
  return name
}
