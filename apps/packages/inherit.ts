import type { Declared } from "./printType.ts"

/** The number of common fields from which two types are related. */
const FEWEST = 6

interface Interface {
  readonly name: string
  /** The docstring and what declares it, up to the brace. */
  readonly head: string
  /** Its fields with their docstrings. */
  readonly fields: ReadonlyArray<string>
}

/** The fields in the text between an interface's braces. */
const fieldsIn = (body: string): ReadonlyArray<string> => {
  const fields: Array<string> = []
  let field = ""
  let depth = 0
  let isDocument = false
  for (const line of body.split("\n")) {
    field += `${line}\n`
    if (line.startsWith("/**")) isDocument = true
    if (!isDocument) depth += line.split("{").length - line.split("}").length
    const ended = !isDocument && depth === 0
    if (line.endsWith("*/")) isDocument = false
    if (!ended) continue
    fields.push(field.trimEnd())
    field = ""
  }
  return fields
}

const interfaceIn = (name: string, text: string): Interface | undefined => {
  const [, head, body] = /^([^]*?export interface \w+) \{\n([^]*)\n\}\n$/.exec(text) ?? []
  return head === undefined || body === undefined
    ? undefined
    : { name, head, fields: fieldsIn(body) }
}

/**
 * Lets each type that contains all fields of another type extend the largest such type, so that
 * common fields are written once. Types of queries are left alone.
 */
export const inherit = (declared: Declared): Declared => {
  const all = [...declared]
    .filter(([name]) => !name.endsWith("Query"))
    .flatMap(([name, text]) => interfaceIn(name, text) ?? [])
    .toSorted((a, b) => b.fields.length - a.fields.length)
  const baseOf = ({ fields, name }: Interface) =>
    all.find(
      (other) =>
        other.name !== name &&
        other.fields.length >= FEWEST &&
        other.fields.length < fields.length &&
        other.fields.every((field) => fields.includes(field)),
    )
  const inherited = new Map(declared)
  for (const one of all) {
    const base = baseOf(one)
    if (base === undefined) continue
    const own = one.fields.filter((field) => !base.fields.includes(field))
    inherited.set(one.name, `${one.head} extends ${base.name} {\n${own.join("\n")}\n}\n`)
  }
  return inherited
}
