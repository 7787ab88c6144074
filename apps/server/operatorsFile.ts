import { Effect, Schema, SchemaIssue } from "effect"
import { readFile } from "node:fs/promises"
import { OPERATOR_ROLES, type OperatorKey } from "../../core/audit/Operator.ts"
import { StartFailure } from "./address.ts"

const Entry = Schema.Struct({
  roles: Schema.NonEmptyArray(Schema.Literals(OPERATOR_ROLES)),
  key_sha256: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)),
})

const Name = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/))

const File = Schema.Struct({ operators: Schema.Record(Name, Entry) })

const decodeFile = Schema.decodeUnknownResult(File, { onExcessProperty: "error" })
const format = SchemaIssue.makeFormatterStandardSchemaV1()

const failure = (path: string, problem: string): StartFailure =>
  new StartFailure({ message: `PAYPORT_OPERATORS: ${path}: ${problem}` })

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error)

/**
 * The operators of the file, each with roles and the hash of a key. Fails with one line that names
 * file and field.
 */
export const readOperators = Effect.fnUntraced(function* (path: string) {
  const text = yield* Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: (error) => failure(path, `the file cannot be read (${codeOf(error)}).`),
  })
  const json = yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => failure(path, "the file has to be JSON."),
  })
  const file = yield* Effect.mapError(Effect.fromResult(decodeFile(json)), (error) => {
    const [issue] = format(error.issue).issues
    const field = (issue?.path ?? [])
      .map((part) => String(typeof part === "object" ? part.key : part))
      .join(".")
    const wanted =
      `an operator has a name of 1 to 64 letters, digits, dots, hyphens and underscores, ` +
      `roles (${OPERATOR_ROLES.join(", ")}) and key_sha256, 64 lower-case hex digits`
    return failure(path, `${field || "the file"} is not as it has to be: ${wanted}.`)
  })
  const keys = Object.entries(file.operators).map(([name, { key_sha256, roles }]): OperatorKey => ({
    name,
    roles: new Set(roles),
    hash: key_sha256,
  }))
  if (new Set(keys.map(({ hash }) => hash)).size < keys.length) {
    return yield* failure(path, "two operators have the same key.")
  }
  return keys
})
