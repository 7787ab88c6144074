import { Result, Schema, SchemaAST, SchemaIssue } from "effect"
import { Failure, type FailureCode, invalidField } from "./Failure.ts"
import { REQUIRED, reasonFor } from "./Reasons.ts"
import { nearestOf } from "./Nearest.ts"

/**
 * The error codes for top-level fields that do not decode. A field without a code fails with
 * `MISSING_REQUIRED_FIELD` if it is required and null, blank or absent, otherwise with
 * `INVALID_REQUEST`.
 */
export interface FieldRules<Code extends FailureCode = FailureCode> {
  readonly codes?: { readonly [field: string]: Code }
  /**
   * Codes of fields that are present and invalid, also of nested ones by their path with dots. A
   * missing field still fails as missing.
   */
  readonly invalid?: { readonly [field: string]: Code }
  /** Fields that the schema does not know, with what to send instead: they are refused. */
  readonly misnamed?: { readonly [field: string]: string }
  /** Required lists that count as missing if they are empty. */
  readonly emptyIsMissing?: ReadonlyArray<string>
  /** Makes the failure of every bad field, for inputs with their own form of it. */
  readonly explain?: (issue: FieldIssue & { readonly missing: boolean }) => Failure<Code>
}

/** An invalid field: its path with dots, and what it must be. */
export interface FieldIssue {
  readonly field: string
  readonly reason: string
}

/** A schema of a JSON object that decodes without services. */
export type InputSchema = Schema.Decoder<unknown> & { readonly fields: Schema.Struct.Fields }

interface Found extends FieldIssue {
  readonly top: string
}

/** The most mistakes of a request that are reported. */
const MOST_ISSUES = 20

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "")

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** Returns the invalid value if it is short enough to be shown. */
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
      code === "MISSING_REQUIRED_FIELD" || issue.reason === REQUIRED
        ? `The field ${issue.field} is required.`
        : `The field ${issue.field} is not valid: ${issue.reason}.`,
    field: issue.field,
    details:
      code === "INVALID_REQUEST" || code === "MISSING_REQUIRED_FIELD"
        ? all.slice(0, MOST_ISSUES).map(({ field, reason }) => ({ field, reason }))
        : {
            field: issue.field,
            constraint: issue.reason,
            // Queries are logged in many places, and the caller knows its own query.
            ...(code !== "INVALID_QUERY" && shown(valueAt(input, issue.field))),
          },
  })

/**
 * Makes a decoder of a request's fields. It checks all of them and reports the first bad one, in
 * the order of the schema and missing ones first. Fields that the schema does not name are dropped.
 */
export const decode = <S extends InputSchema, Code extends FailureCode = never>(
  schema: S,
  rules: FieldRules<Code> = {},
) => {
  // Most requests are valid, and finding the first mistake is faster than finding all.
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
  const misnamed = Object.entries(rules.misnamed ?? {})

  const explain = (error: Schema.SchemaError, input: unknown) => {
    const found = format(error.issue).issues.map(({ message, path = [] }): Found => ({
      top: path.slice(0, 1).map(keyText).join(),
      field: path.map(keyText).join("."),
      reason: reasonFor(message),
    }))
    found.sort((a, b) => order.indexOf(a.top) - order.indexOf(b.top))
    if (rules.explain !== undefined) {
      const issue = found.find(({ field }) => isEmpty(valueAt(input, field))) ??
        found[0] ?? { field: "", reason: "has the wrong form" }
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
    const first = found[0] ?? { top: "", field: "", reason: "has the wrong form" }
    const code =
      codeOf(first.top) ??
      rules.invalid?.[first.field] ??
      rules.invalid?.[first.top] ??
      "INVALID_REQUEST"
    return refusal(code, first, found, input)
  }

  return (input: unknown): Result.Result<S["Type"], ReturnType<typeof explain>> => {
    const wrong = misnamed.find(([field]) => valueAt(input, field) !== undefined)
    if (wrong !== undefined) return Result.fail(invalidField(...wrong))
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

/** A field of a request that its schema does not know. */
export interface UnknownField {
  /** Its path with dots. */
  readonly field: string
  /** The known field that it may have been meant to be. */
  readonly nearest: string | undefined
  /** The known fields in its place. */
  readonly known: ReadonlyArray<string>
}

/** The most unknown fields that are named. */
const MOST_NAMED = 20

/** The longest field name that is named in full, in characters. */
const MOST_CHARACTERS = 128

/** Returns all schemas allowed at one place, with unions and suspended schemas resolved. */
const alternatives = (given: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  const ast = SchemaAST.toEncoded(given)
  if (SchemaAST.isSuspend(ast)) return alternatives(ast.thunk())
  return SchemaAST.isUnion(ast) ? ast.types.flatMap(alternatives) : [ast]
}

/** Returns the beginning of a name, cut between characters: no header can hold half a character. */
const beginningOf = (name: string): string =>
  name.length <= MOST_CHARACTERS
    ? name
    : Array.from(name.slice(0, 2 * MOST_CHARACTERS + 2))
        .slice(0, MOST_CHARACTERS)
        .join("")

/**
 * The schemas that are allowed at one place of an input. Each is read once, because every request
 * uses this.
 */
class Place {
  readonly #types: ReadonlyArray<SchemaAST.AST>
  #fields: ReadonlyMap<string, Place> | null | undefined
  #items: Place | null | undefined

  constructor(types: ReadonlyArray<SchemaAST.AST>) {
    this.#types = types
  }

  /** The fields of objects here; null if any name is allowed, or no object is. */
  get fields(): ReadonlyMap<string, Place> | null {
    if (this.#fields === undefined) this.#fields = this.#findFields()
    return this.#fields
  }

  /** The place of a list's elements; null if no list is known here. */
  get items(): Place | null {
    if (this.#items === undefined) this.#items = this.#findItems()
    return this.#items
  }

  #findFields(): ReadonlyMap<string, Place> | null {
    const objects = this.#types.filter(SchemaAST.isObjects)
    if (objects.length === 0) return null
    // If any name is allowed, such as in metadata, no name is unknown.
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
      const names = [...known.keys()]
      const nearest = nearestOf(name, names)
      found.push({ field: `${path}${beginningOf(name)}`, nearest, known: names })
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

/** Finds the fields of an input, at any depth, that its schema drops; at most 20. */
export type FindUnknown = (input: unknown) => ReadonlyArray<UnknownField>

/** Makes the finder of a schema's unknown fields. It ignores values that do not fit the schema. */
export const unknownFieldsOf = ({ ast }: { readonly ast: SchemaAST.AST }): FindUnknown => {
  const place = new Place(alternatives(ast))
  return (input) => {
    const found: UnknownList = []
    visit(input, place, "", found)
    return found
  }
}

const reasonOf = ({ known, nearest }: UnknownField): string => {
  if (nearest !== undefined) return `is not a known field; did you mean ${nearest}?`
  const names = known.slice(0, MOST_NAMED).join(", ")
  const isWhole = known.length <= MOST_NAMED
  if (names === "") return "is not a known field; there are none"
  return `is not a known field; known are ${names}${isWhole ? "" : " and others"}`
}

/**
 * Returns the failure for unknown fields, which names the nearest known field for each, or all
 * known fields where none is near.
 */
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
