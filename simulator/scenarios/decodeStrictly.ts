import { Exit, Result, Schema, SchemaIssue } from "effect"
import type { Issue } from "./Issue.ts"

/** The mistakes in a scenario or a file of the simulator, a line for each. */
export type Complaints = ReadonlyArray<string>

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const keysOf = (
  path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined,
): ReadonlyArray<string> =>
  (path ?? []).map((key) => String(typeof key === "object" ? key.key : key))

/** Returns the actual value instead of the expected one, if it is short. */
const insteadOf = (input: unknown, path: ReadonlyArray<string>, message: string): string => {
  let found = input
  for (const key of path) found = found === null ? found : Reflect.get(Object(found), key)
  if (!message.startsWith("Expected") || typeof found === "object" || found === undefined) return ""
  return `, not ${JSON.stringify(found)}`
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
        message: `${message}${insteadOf(input, keysOf(path), message)}`,
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
