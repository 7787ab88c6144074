import type { Schema, SchemaAST } from "effect"
import { type Timestamp, toIso } from "./Timestamp.ts"

/** What a record has in the place of a field that is shown: times are numbers there. */
type Kept<Shown> = Shown | (string extends Shown ? Timestamp : never)

/** What a record has to have for a view, but for what is given besides. */
type Viewed<View, More> = {
  readonly [F in keyof View as F extends keyof More ? never : F]: Kept<View[F]>
}

const isText = (ast: SchemaAST.AST): boolean =>
  ast._tag === "String" || (ast._tag === "Union" && ast.types.some(isText))

interface Shape<View> {
  readonly fields: Schema.Struct.Fields
  readonly Type: View
}

/** Of each Schema its fields' names, and whether each is a text. */
const known = new WeakMap<object, ReadonlyArray<readonly [name: string, text: boolean]>>()

const fieldsOf = ({ fields }: Shape<unknown>) => {
  const found =
    known.get(fields) ??
    Object.entries(fields).map(([name, { ast }]) => [name, isText(ast)] as const)
  known.set(fields, found)
  return found
}

/**
 * Shows of a record what a Schema names, in its order and nothing else: times as ISO 8601, what the
 * record lacks in its state not at all, and `more` for what it has not as it is shown.
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
