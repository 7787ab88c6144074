import { Effect } from "effect"
import type { SessionSource } from "./access.ts"
import { DatabaseUnusable, MIGRATE } from "./DatabaseUnusable.ts"
import { applied, hasCommitFunction, migrate } from "./migrate.ts"
import type { OurSchema } from "./OurSchema.ts"
import { findMissing } from "./schema/privileges.ts"
import type { Steps } from "./schema/Step.ts"
import { readStanding, refusalOfSchema } from "./schemaStanding.ts"
import type { Connection } from "./sessions/connectWith.ts"

const noSchema = (role: string, { name, quoted }: OurSchema) =>
  new DatabaseUnusable({
    message:
      `The database has no schema ${name}, and the role ${role} may not create it. Create it with` +
      ` CREATE SCHEMA ${quoted} AUTHORIZATION ${role}, or use ${MIGRATE}.`,
  })

const closed = (role: string, { name, quoted }: OurSchema) =>
  new DatabaseUnusable({
    message:
      `The role ${role} may not use the schema ${name} of the database. GRANT USAGE ON SCHEMA` +
      ` ${quoted} to it, or use ${MIGRATE}.`,
  })

const behind = (role: string) =>
  new DatabaseUnusable({
    message:
      `The database's schema is older than this version of payport, and the role ${role} may not` +
      ` change it. Use ${MIGRATE}.`,
  })

const ownsAll = (role: string) =>
  new DatabaseUnusable({
    message:
      `The role ${role} of PAYPORT_DATABASE_URL owns the database's tables and could shorten the` +
      ` audit log. In live mode the service must run as a role that owns nothing. Use ${MIGRATE}.`,
  })

const createsNames = (role: string) =>
  new DatabaseUnusable({
    message:
      `The role ${role} of PAYPORT_DATABASE_URL may create functions in the database's schema,` +
      " which functions with the owner's rights could call. Revoke that right with REVOKE CREATE" +
      " ON SCHEMA … FROM PUBLIC, or from the role that grants it, and try again.",
  })

/** The most objects that a message names. */
const MOST_NAMED = 3

/** Finds now what would else fail at the first payment. */
const refuseMissing = Effect.fnUntraced(function* (
  connection: Connection,
  role: string,
  schema: OurSchema,
) {
  const { rows } = yield* connection.query(findMissing(schema), [], false)
  if (rows.length === 0) return
  const some = rows.slice(0, MOST_NAMED).map(({ missing }) => String(missing))
  const more = rows.length > MOST_NAMED ? ` and rights on ${rows.length - MOST_NAMED} more` : ""
  return yield* new DatabaseUnusable({
    message:
      `The role ${role} lacks rights in the schema ${schema.name}: ${some.join("; ")}${more}. Use` +
      ` ${MIGRATE}.`,
  })
})

/**
 * Makes sure that the schema has this version. Migrates it if the service's role may do that, and
 * only checks it otherwise. Fails with `DatabaseUnusable` if the schema is missing, older or
 * foreign, if a role that must own nothing owns it, if the role lacks a right, or if it
 * could shadow the names that its functions use.
 */
export const prepareSchema = Effect.fnUntraced(function* (
  sessions: SessionSource,
  steps: Steps,
  mustOwnNothing: boolean,
) {
  const { schema } = sessions
  const connection = yield* sessions.connect
  const standing = yield* readStanding(connection, schema)
  const refusal = refusalOfSchema(standing, schema)
  if (refusal !== undefined) return yield* refusal
  const { creates, enters, made, owns, role, there } = standing
  if (!there && !creates) return yield* noSchema(role, schema)
  if (there && !enters) return yield* closed(role, schema)
  if (owns) {
    if (mustOwnNothing) return yield* ownsAll(role)
    return void (yield* migrate(sessions, steps))
  }
  if (!made) return yield* behind(role)
  if (mustOwnNothing && creates) return yield* createsNames(role)
  yield* refuseMissing(connection, role, schema)
  const done = yield* applied(connection, steps)
  const isCurrent =
    steps.every(({ id }) => done.has(id)) && (yield* hasCommitFunction(connection, schema))
  if (!isCurrent) return yield* behind(role)
}, Effect.scoped)
