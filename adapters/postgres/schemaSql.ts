import { Result } from "effect"
import { COMMIT_FUNCTION, CREATE_COMMIT_FUNCTION } from "./commit/commitFunction.ts"
import { dropUnused, MARK_COMMIT_FUNCTION } from "./commit/unusedFunctions.ts"
import { CREATE_TABLE, LOCK_TIMEOUT, MIGRATION_LOCK } from "./migrate.ts"
import { DEFAULT_SCHEMA, flawOfName, type OurSchema, ourSchema } from "./OurSchema.ts"
import { STEPS } from "./schema.ts"
import { grantsTo } from "./schema/privileges.ts"
import { inOneTransaction, type Step } from "./schema/Step.ts"

/** The options of a script. */
export interface SchemaScript {
  /** The unquoted name of the schema; `payport` by default. */
  readonly schema?: string | undefined
  /** The last step of the database's schema (`payport_schema.id`), 0 if there is no schema. */
  readonly from?: number | undefined
  /** The service's role. It owns nothing and is granted what it needs. */
  readonly role?: string | undefined
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

const recordOf = ({ beside, id, name }: Step): string =>
  `INSERT INTO payport.payport_schema (id, name, beside)
    VALUES (${id}, ${literal(name)}, ${beside})`

/** Makes the commit function unless it exists: its name identifies its content. */
const makeFunction = [
  "DO $payport_new$ BEGIN",
  `  IF to_regproc('payport.${COMMIT_FUNCTION}') IS NOT NULL THEN RETURN; END IF;`,
  ...[...CREATE_COMMIT_FUNCTION, MARK_COMMIT_FUNCTION].map(
    (statement) => `  EXECUTE $payport_text$${statement}$payport_text$;`,
  ),
  "END $payport_new$",
].join("\n")

/** Waits for no other migration, because that may wait for all older transactions. */
const locking = (schema: OurSchema): string => `DO $payport_lock$ BEGIN
  IF NOT pg_try_advisory_xact_lock(${schema.lock(MIGRATION_LOCK)}) THEN
    RAISE EXCEPTION 'Another migration of the schema is running.';
  END IF;
END $payport_lock$`

const made = ({ quoted }: OurSchema): ReadonlyArray<string> => [
  `CREATE SCHEMA IF NOT EXISTS ${quoted}`,
  CREATE_TABLE,
  ...STEPS[0].statements,
  ...STEPS.map(recordOf),
]

const broughtOn = (from: number): ReadonlyArray<string> =>
  STEPS.filter(({ id }) => id > from).flatMap((step) => [...inOneTransaction(step), recordOf(step)])

const last = STEPS.at(-1)?.id ?? 0

/**
 * Returns the schema as SQL for other migration tools: one transaction that makes the schema, or
 * migrates it from the step `from` to this version. A role that owns nothing can then start the
 * service. Fails with what is wrong with the options.
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
    locking(schema),
    ...(from === 0 ? made(schema) : broughtOn(from)),
    makeFunction,
    dropUnused(schema),
    ...(role === undefined ? [] : grantsTo(role, schema)),
    "COMMIT",
  ]
  return Result.succeed(statements.map((sql) => `${schema.place(sql)};\n`).join("\n"))
}
