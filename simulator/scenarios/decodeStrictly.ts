import { Exit, Result, Schema, SchemaAST, SchemaIssue } from "effect"
import { nearestOf } from "../../core/shared/Nearest.ts"
import { reasonFor } from "../../core/shared/Reasons.ts"
import type { Issue } from "./Issue.ts"

/** The mistakes in a scenario or a file of the simulator, a line for each. */
export type Complaints = ReadonlyArray<string>

/** The beginning of the message of an unknown field, before the names of the known ones. */
const UNKNOWN = "known: "

const namesIn = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (SchemaAST.isUnion(ast)) return [...new Set(ast.types.flatMap(namesIn))]
  return SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) =>
    issue._tag === "UnexpectedKey"
      ? `${UNKNOWN}${namesIn(issue.ast).join(" ")}`
      : SchemaIssue.defaultLeafHook(issue),
})

const keysOf = (
  path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined,
): ReadonlyArray<string> =>
  (path ?? []).map((key) => String(typeof key === "object" ? key.key : key))

/** Returns what a name should be instead, or all names if none is like it. */
export const otherName = (name: string, known: ReadonlyArray<string>): string => {
  const nearest = nearestOf(name, known)
  if (nearest !== undefined) return `Did you mean ${nearest}?`
  return known.length === 0 ? "There are none." : `Known are ${known.join(", ")}.`
}

/** Returns what is wrong at a path, with the actual value if it is short. */
const messageAt = (input: unknown, path: ReadonlyArray<string>, message: string): string => {
  if (message.startsWith(UNKNOWN)) {
    const known = message.slice(UNKNOWN.length).split(" ").filter(Boolean)
    return `there is no such field. ${otherName(path.at(-1) ?? "", known)}`
  }
  let found = input
  for (const key of path) found = found === null ? found : Reflect.get(Object(found), key)
  const isShort = message.startsWith("Expected") && typeof found !== "object" && found !== undefined
  return `${reasonFor(message)}${isShort ? `, not ${JSON.stringify(found)}` : ""}`
}

/** Decodes a file's content strictly: fields that the schema does not know are refused, too. */
export const decodeWithPlaces = <S extends Schema.Decoder<unknown>>(
  schema: S,
  input: unknown,
): Result.Result<S["Type"], ReadonlyArray<Issue>> => {
  const exit = Schema.decodeUnknownExit(schema)(input, {
    errors: "all",
    onExcessProperty: "error",
  })
  if (Exit.isSuccess(exit)) return Result.succeed(exit.value)
  return Result.fail(
    exit.cause.reasons.flatMap((reason) => {
      if (reason._tag !== "Fail") return [{ path: [], message: "It cannot be read." }]
      return format(reason.error.issue).issues.map(({ message, path }) => ({
        path: keysOf(path),
        message: messageAt(input, keysOf(path), message),
      }))
    }),
  )
}

/** Formats an issue as a line. */
export const complaintOf = ({ message, path }: Issue): string =>
  path.length === 0 ? message : `${path.join(".")}: ${message}`

/** Does the same, with each issue as a line. */
export const decodeStrictly = <S extends Schema.Decoder<unknown>>(
  schema: S,
  input: unknown,
): Result.Result<S["Type"], Complaints> =>
  Result.mapError(decodeWithPlaces(schema, input), (issues) => issues.map(complaintOf))
