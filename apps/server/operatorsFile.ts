import { Effect, Schema, SchemaIssue } from "effect"
import { readFile } from "node:fs/promises"
import { OPERATOR_ROLES, type OperatorKey, reviewersOf } from "../../core/audit/Operator.ts"
import { fileText } from "../fileText.ts"
import { StartFailure } from "./StartFailure.ts"

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

/** How often the file is checked for changes, in milliseconds. */
const LOOKED_AT_EVERY = 1_000

const read = (path: string) =>
  Effect.tryPromise({
    try: () => readFile(path).then(fileText),
    catch: (error) => failure(path, `the file cannot be read (${codeOf(error)}).`),
  })

/** Reads the operators of the file, each with roles and the hash of a key. */
const operatorsIn = Effect.fnUntraced(function* (path: string, text: string) {
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
    return failure(path, `${field || "the file"} has the wrong form: ${wanted}.`)
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

/** Returns the warning that a file's operators need; undefined where two can review. */
export const fewReviewers = (path: string, keys: ReadonlyArray<OperatorKey>): string | undefined =>
  keys.length > 0 && (reviewersOf(keys)?.size ?? 0) < 2
    ? `${path} has fewer than two operators with the role review. What needs two is refused.`
    : undefined

/** Reads the operators of the file. Fails with one line that names file and field. */
export const readOperators = (path: string) =>
  Effect.flatMap(read(path), (text) => operatorsIn(path, text))

const warned = (path: string, keys: ReadonlyArray<OperatorKey>) => {
  const few = fewReviewers(path, keys)
  return few === undefined ? Effect.void : Effect.logWarning(few)
}

/**
 * Follows the operators in the file, now and after each change, until the scope ends. If a later
 * version cannot be read or is invalid, this is logged, and the previous operators stay. Fails with
 * one line that names file and field if the first version is invalid.
 */
export const followOperators = Effect.fnUntraced(function* (path: string) {
  let known = yield* read(path)
  let operators = yield* operatorsIn(path, known)
  yield* warned(path, operators)
  let told = ""
  const look = Effect.gen(function* () {
    const text = yield* read(path)
    told = ""
    if (text === known) return
    known = text
    operators = yield* operatorsIn(path, text)
    yield* warned(path, operators)
    yield* Effect.logInfo(`${path} has changed and names ${operators.length} operators.`)
  }).pipe(
    Effect.catch(({ message }) => {
      if (message === told) return Effect.void
      told = message
      return Effect.logError(`${message} The operators stay as they were.`)
    }),
  )
  yield* Effect.forkScoped(Effect.forever(Effect.delay(look, LOOKED_AT_EVERY)))
  return () => operators
})
