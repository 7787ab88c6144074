import type { Schema, SchemaAST } from "effect"
import { type Timestamp, toIso } from "./Timestamp.ts"

/** The record's type of a shown field: a time is a number in the record. */
type Kept<Shown> = Shown | (string extends Shown ? Timestamp : never)

/** The fields that a record needs for a view, without those in `More`. */
type Viewed<View, More> = {
  readonly [F in keyof View as F extends keyof More ? never : F]: Kept<View[F]>
}

const isText = (ast: SchemaAST.AST): boolean =>
  ast._tag === "String" || (ast._tag === "Union" && ast.types.some(isText))

interface Shape<View> {
  readonly fields: Schema.Struct.Fields
  readonly Type: View
}

/** The cached field names of each Schema, and whether each is a text. */
const known = new WeakMap<object, ReadonlyArray<readonly [name: string, text: boolean]>>()

const fieldsOf = ({ fields }: Shape<unknown>) => {
  const found =
    known.get(fields) ??
    Object.entries(fields).map(([name, { ast }]) => [name, isText(ast)] as const)
  known.set(fields, found)
  return found
}

/**
 * Returns the view of a record: the fields that a Schema names, in its order, and nothing else.
 * Times are ISO 8601. Fields that the record does not have in its state are left out. `more` gives
 * fields that the record does not have in the shown form.
 */
export const shownAs = <View extends object, const More extends Partial<View> = {}>(
  schema: Shape<View>,
  record: Viewed<View, More>,
  more?: More,
): View => {
  const view: { [field: string]: unknown } = {}
  for (const [name, text] of fieldsOf(schema)) {
    const from = more !== undefined && name in more ? more : record
    const value: unknown = Reflect.get(from, name)
    if (value !== undefined) view[name] = text && typeof value === "number" ? toIso(value) : value
  }
  return view as View
}
