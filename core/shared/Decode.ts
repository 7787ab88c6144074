import { Result, Schema, SchemaAST, SchemaIssue } from "effect"
import { Failure, type FailureCode } from "./Failure.ts"
import { nearestOf } from "./Nearest.ts"

/**
 * Which code answers for a top-level field that does not decode. A field without one is
 * `MISSING_REQUIRED_FIELD` when it is required and null, blank or not there, else
 * `INVALID_REQUEST`.
 */
export interface FieldRules<Code extends FailureCode = FailureCode> {
  readonly codes?: { readonly [field: string]: Code }
  /**
   * Codes of fields that are there and wrong, also of nested ones by their path with dots; when
   * such a field is missing, that is said.
   */
  readonly invalid?: { readonly [field: string]: Code }
  /** Required lists that are as good as missing when nothing is in them. */
  readonly emptyIsMissing?: ReadonlyArray<string>
  /** How every bad field is refused, where that has a form of its own. */
  readonly explain?: (issue: FieldIssue & { readonly missing: boolean }) => Failure<Code>
}

/** What is wrong with one field: its path with dots, and what it has to be. */
export interface FieldIssue {
  readonly field: string
  readonly reason: string
}

/** A schema of a JSON object whose decoding needs nothing of the world. */
export type InputSchema = Schema.Decoder<unknown> & { readonly fields: Schema.Struct.Fields }

interface Found extends FieldIssue {
  readonly top: string
}

/** How many of a request's mistakes are told. */
const MOST_ISSUES = 20

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "")

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** The offending value, where it is short enough to be shown. */
const shown = (value: unknown): { readonly value?: unknown } =>
  typeof value === "number" ||
  typeof value === "boolean" ||
  value === null ||
  (typeof value === "string" && value.length <= 64)
    ? { value }
    : {}

const valueAt = (input: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (value, key) =>
        typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined,
      input,
    )

const refusal = <Code extends FailureCode>(
  code: Code,
  issue: Found,
  all: ReadonlyArray<Found>,
  input: unknown,
) =>
  new Failure({
    code,
    message:
      code === "MISSING_REQUIRED_FIELD"
        ? `The field ${issue.field} is required.`
        : `The field ${issue.field} is not valid: ${issue.reason}.`,
    field: issue.field,
    details:
      code === "INVALID_REQUEST" || code === "MISSING_REQUIRED_FIELD"
        ? all.slice(0, MOST_ISSUES).map(({ field, reason }) => ({ field, reason }))
        : {
            field: issue.field,
            constraint: issue.reason,
            // A query ends up in many a log, and its caller has it.
            ...(code !== "INVALID_QUERY" && shown(valueAt(input, issue.field))),
          },
  })

/**
 * Makes a decoder of a request's fields, which checks all of them and says of the first bad one, in
 * the order of the schema and missing ones first, what is wrong. Fields that the schema does not
 * name are dropped.
 */
export const decode = <S extends InputSchema, Code extends FailureCode = never>(
  schema: S,
  rules: FieldRules<Code> = {},
) => {
  // Most requests are as they have to be, and the first mistake is found sooner than all of them.
  const parse = Schema.decodeUnknownResult(schema)
  const parseThoroughly = Schema.decodeUnknownResult(schema, { errors: "all" })
  const order = Object.keys(schema.fields)
  const required = new Set(
    order.filter((field) => {
      const ast = (schema.fields[field] as { readonly ast: SchemaAST.AST }).ast
      return !SchemaAST.isOptional(SchemaAST.toEncoded(ast))
    }),
  )
  const codeOf = (field: string): Code | undefined => rules.codes?.[field]

  const explain = (error: Schema.SchemaError, input: unknown) => {
    const found = format(error.issue).issues.map(({ message, path = [] }): Found => ({
      top: path.slice(0, 1).map(keyText).join(),
      field: path.map(keyText).join("."),
      reason: sentence(message),
    }))
    found.sort((a, b) => order.indexOf(a.top) - order.indexOf(b.top))
    if (rules.explain !== undefined) {
      const issue = found.find(({ field }) => isEmpty(valueAt(input, field))) ??
        found[0] ?? { field: "", reason: "does not decode" }
      const { field, reason } = issue
      return rules.explain({ field, reason, missing: isEmpty(valueAt(input, field)) })
    }
    const isMissing = (top: string): boolean => {
      const value = valueAt(input, top)
      return isEmpty(value) || (isEmptyList(value) && rules.emptyIsMissing?.includes(top) === true)
    }
    const missing = found.find(
      ({ top }) => required.has(top) && codeOf(top) === undefined && isMissing(top),
    )
    if (missing !== undefined) {
      return refusal("MISSING_REQUIRED_FIELD", { ...missing, field: missing.top }, found, input)
    }
    const first = found[0] ?? { top: "", field: "", reason: "does not decode" }
    const code =
      codeOf(first.top) ??
      rules.invalid?.[first.field] ??
      rules.invalid?.[first.top] ??
      "INVALID_REQUEST"
    return refusal(code, first, found, input)
  }

  return (input: unknown): Result.Result<S["Type"], ReturnType<typeof explain>> => {
    const parsed = parse(input)
    if (Result.isSuccess(parsed)) return Result.succeed(parsed.success)
    const thorough = parseThoroughly(input)
    return Result.fail(
      explain(Result.isFailure(thorough) ? thorough.failure : parsed.failure, input),
    )
  }
}

const keyText = (part: PropertyKey | { readonly key: PropertyKey }): string =>
  typeof part === "object" ? String(part.key) : String(part)

const sentence = (message: string): string => {
  const text = message === "Missing key" ? "is required" : message
  return text.startsWith("Expected ") ? `must be ${text.slice("Expected ".length)}` : text
}

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

/** By characters, so that none is cut into halves that no header can hold. */
const beginningOf = (name: string): string =>
  name.length <= MOST_CHARACTERS
    ? name
    : Array.from(name.slice(0, 2 * MOST_CHARACTERS + 2))
        .slice(0, MOST_CHARACTERS)
        .join("")

/** What may stand at one place of an input. It asks the schema once: every request passes here. */
class Place {
  readonly #types: ReadonlyArray<SchemaAST.AST>
  #fields: ReadonlyMap<string, Place> | null | undefined
  #items: Place | null | undefined

  constructor(types: ReadonlyArray<SchemaAST.AST>) {
    this.#types = types
  }

  /** The fields that objects may have here; null where any name may stand, or no object at all. */
  get fields(): ReadonlyMap<string, Place> | null {
    if (this.#fields === undefined) this.#fields = this.#findFields()
    return this.#fields
  }

  /** What the elements of a list may be here; null where no list is known. */
  get items(): Place | null {
    if (this.#items === undefined) this.#items = this.#findItems()
    return this.#items
  }

  #findFields(): ReadonlyMap<string, Place> | null {
    const objects = this.#types.filter(SchemaAST.isObjects)
    if (objects.length === 0) return null
    // Where any name may stand, such as in metadata, none is unknown.
    if (objects.some(({ indexSignatures }) => indexSignatures.length > 0)) return null
    const types = new Map<string, Array<SchemaAST.AST>>()
    for (const { name, type } of objects.flatMap((each) => each.propertySignatures)) {
      types.set(String(name), [...(types.get(String(name)) ?? []), ...alternatives(type)])
    }
    return new Map([...types].map(([name, found]) => [name, new Place(found)]))
  }

  #findItems(): Place | null {
    const items = this.#types
      .filter(SchemaAST.isArrays)
      .flatMap(({ elements, rest }) => [...elements, ...rest])
    return items.length === 0 ? null : new Place(items.flatMap(alternatives))
  }
}

type UnknownList = Array<UnknownField>

const visitObject = (value: object, place: Place, path: string, found: UnknownList): void => {
  const known = place.fields
  if (known === null) return
  for (const name of Object.keys(value)) {
    if (found.length >= MOST_NAMED) return
    const inside = known.get(name)
    if (inside === undefined) {
      const nearest = nearestOf(name, [...known.keys()])
      found.push({ field: `${path}${beginningOf(name)}`, nearest })
      continue
    }
    const item: unknown = Reflect.get(value, name)
    if (typeof item === "object") visit(item, inside, `${path}${beginningOf(name)}.`, found)
  }
}

const visit = (value: unknown, place: Place, path: string, found: UnknownList): void => {
  if (typeof value !== "object" || value === null) return
  if (!Array.isArray(value)) return visitObject(value, place, path, found)
  const { items } = place
  if (items === null) return
  for (const [n, item] of value.entries()) {
    if (found.length >= MOST_NAMED) return
    visit(item, items, `${path}${n}.`, found)
  }
}

/** Finds the fields of an input, at any depth, that its schema drops; 20 of them at most. */
export type FindUnknown = (input: unknown) => ReadonlyArray<UnknownField>

/** The finder of a schema's unknown fields. Values that do not fit the schema have none. */
export const unknownFieldsOf = ({ ast }: { readonly ast: SchemaAST.AST }): FindUnknown => {
  const place = new Place(alternatives(ast))
  return (input) => {
    const found: UnknownList = []
    visit(input, place, "", found)
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
