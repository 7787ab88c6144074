import { Result } from "effect"
import { COMMIT_FUNCTION, CREATE_COMMIT_FUNCTION } from "./commit/commitFunction.ts"
import { dropUnused, MARK_COMMIT_FUNCTION } from "./commit/unusedFunctions.ts"
import { CREATE_TABLE, LOCK_TIMEOUT, MIGRATION_LOCK } from "./migrate.ts"
import { DEFAULT_SCHEMA, flawOfName, type OurSchema, ourSchema } from "./OurSchema.ts"
import { type Step, STEPS } from "./schema.ts"
import { grantsTo } from "./schema/privileges.ts"

/** What a script is for. */
export interface SchemaScript {
  /** The schema's name as it is; `payport` by default. */
  readonly schema?: string | undefined
  /** The step that the database's schema ends at (`payport_schema.id`), 0 where there is none. */
  readonly from?: number | undefined
  /** The role of the service, which owns nothing, and is granted what it needs. */
  readonly role?: string | undefined
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

const recordOf = ({ beside, id, name }: Step): string =>
  `INSERT INTO payport.payport_schema (id, name, beside)
    VALUES (${id}, ${literal(name)}, ${beside})`

/** The function may be there already: its name tells what it holds. */
const makeFunction = [
  "DO $payport_new$ BEGIN",
  `  IF to_regproc('payport.${COMMIT_FUNCTION}') IS NOT NULL THEN RETURN; END IF;`,
  ...[...CREATE_COMMIT_FUNCTION, MARK_COMMIT_FUNCTION].map(
    (statement) => `  EXECUTE $payport_text$${statement}$payport_text$;`,
  ),
  "END $payport_new$",
].join("\n")

const made = ({ quoted }: OurSchema): ReadonlyArray<string> => [
  `CREATE SCHEMA IF NOT EXISTS ${quoted}`,
  CREATE_TABLE,
  ...STEPS[0].statements,
  ...STEPS.map(recordOf),
]

const broughtOn = (from: number): ReadonlyArray<string> =>
  STEPS.filter(({ id }) => id > from).flatMap((step) => [...step.statements, recordOf(step)])

const last = STEPS.at(-1)?.id ?? 0

/**
 * The schema as SQL, for who runs migrations by other means: one transaction that makes it, or
 * brings one that ends at the step `from` on to this version's. A start as a role that owns nothing
 * then finds it complete. Fails with what is wrong with the options.
 */
export const schemaSql = ({
  from = 0,
  role,
  schema: name = DEFAULT_SCHEMA,
}: SchemaScript = {}): Result.Result<string, string> => {
  const flaw = flawOfName(name)
  if (flaw !== undefined) return Result.fail(`The name of the schema ${flaw}.`)
  if (!Number.isInteger(from) || from < 0 || from > last) {
    return Result.fail(`The step to go on from has to be a whole number from 0 to ${last}.`)
  }
  const schema = ourSchema(name)
  const statements = [
    "BEGIN",
    `SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`,
    `SELECT pg_advisory_xact_lock(${schema.lock(MIGRATION_LOCK)})`,
    ...(from === 0 ? made(schema) : broughtOn(from)),
    makeFunction,
    dropUnused(schema),
    ...(role === undefined ? [] : grantsTo(role, schema)),
    "COMMIT",
  ]
  return Result.succeed(statements.map((sql) => `${schema.place(sql)};\n`).join("\n"))
}
