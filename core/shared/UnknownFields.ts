import { SchemaAST } from "effect"
import { Failure } from "./Failure.ts"

/** A field of a request that its schema does not know. */
export interface UnknownField {
  /** Its path with dots. */
  readonly field: string
  /** The known field that it may have been meant to be. */
  readonly nearest: string | undefined
}

/** How many unknown fields are named. */
const MOST_NAMED = 20

/** How long the name of a field may be to be named. */
const MOST_CHARACTERS = 128

/** What may stand at one place: every schema there, without what a union or a delay adds. */
const alternatives = (given: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  const ast = SchemaAST.toEncoded(given)
  if (SchemaAST.isSuspend(ast)) return alternatives(ast.thunk())
  return SchemaAST.isUnion(ast) ? ast.types.flatMap(alternatives) : [ast]
}

/** How many letters have to be changed, added, left out or swapped to make one of the other. */
const distance = (one: string, other: string): number => {
  let before: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: other.length + 1 }, (_, n) => n)
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at]
    for (let to = 1; to <= other.length; to += 1) {
      const same = one[at - 1] === other[to - 1]
      const changed = (last[to - 1] ?? 0) + (same ? 0 : 1)
      const longer = Math.min((last[to] ?? 0) + 1, (row[to - 1] ?? 0) + 1)
      const swaps = one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]
      const swapped = swaps ? (before[to - 2] ?? Infinity) + 1 : Infinity
      row.push(Math.min(changed, longer, swapped))
    }
    before = last
    last = row
  }
  return last[other.length] ?? 0
}

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

/** The known name that is like the given one: a third of its letters may differ. */
const nearestOf = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const given = plainName(name.slice(0, 64))
  const found = known
    .map((each) => ({ each, far: distance(given, plainName(each)) }))
    .toSorted((a, b) => a.far - b.far)[0]
  return found !== undefined && found.far <= Math.max(1, Math.floor(given.length / 3))
    ? found.each
    : undefined
}

/** By characters, so that none is cut into halves that no header can hold. */
const beginningOf = (name: string): string =>
  name.length <= MOST_CHARACTERS
    ? name
    : Array.from(name.slice(0, 2 * MOST_CHARACTERS + 2))
        .slice(0, MOST_CHARACTERS)
        .join("")

type Found = Array<UnknownField>

const visitObject = (
  value: object,
  objects: ReadonlyArray<SchemaAST.Objects>,
  path: string,
  found: Found,
): void => {
  // Where any name may stand, such as in metadata, none is unknown.
  if (objects.some(({ indexSignatures }) => indexSignatures.length > 0)) return
  const known = new Map<string, Array<SchemaAST.AST>>()
  for (const { name, type } of objects.flatMap((each) => each.propertySignatures)) {
    known.set(String(name), [...(known.get(String(name)) ?? []), type])
  }
  for (const [name, item] of Object.entries(value)) {
    if (found.length >= MOST_NAMED) return
    const at = `${path}${beginningOf(name)}`
    const types = known.get(name)
    if (types !== undefined) visit(item, types.flatMap(alternatives), `${at}.`, found)
    else found.push({ field: at, nearest: nearestOf(name, [...known.keys()]) })
  }
}

const visit = (
  value: unknown,
  types: ReadonlyArray<SchemaAST.AST>,
  path: string,
  found: Found,
): void => {
  if (typeof value !== "object" || value === null) return
  if (Array.isArray(value)) {
    const items = types
      .filter(SchemaAST.isArrays)
      .flatMap(({ elements, rest }) => [...elements, ...rest])
    if (items.length === 0) return
    const inside = items.flatMap(alternatives)
    for (const [n, item] of value.entries()) {
      if (found.length >= MOST_NAMED) return
      visit(item, inside, `${path}${n}.`, found)
    }
    return
  }
  const objects = types.filter(SchemaAST.isObjects)
  if (objects.length > 0) visitObject(value, objects, path, found)
}

/** Finds the fields of an input, at any depth, that its schema drops; 20 of them at most. */
export type FindUnknown = (input: unknown) => ReadonlyArray<UnknownField>

/** The finder of a schema's unknown fields. Values that do not fit the schema have none. */
export const unknownFieldsOf = ({ ast }: { readonly ast: SchemaAST.AST }): FindUnknown => {
  const types = alternatives(ast)
  return (input) => {
    const found: Found = []
    visit(input, types, "", found)
    return found
  }
}

const reasonOf = ({ nearest }: UnknownField): string =>
  nearest === undefined ? "is not known here" : `is not known here; did you mean ${nearest}?`

/** The refusal of unknown fields, which names for each of them the known one that is nearest. */
export const unknownFields = (
  first: UnknownField,
  all: ReadonlyArray<UnknownField>,
): Failure<"INVALID_REQUEST"> =>
  new Failure({
    code: "INVALID_REQUEST",
    message: `The field ${JSON.stringify(first.field)} ${reasonOf(first)}`.replace(/[^?]$/, "$&."),
    field: first.field,
    details: all.map((each) => ({ field: each.field, reason: reasonOf(each) })),
  })
