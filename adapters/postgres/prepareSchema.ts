import { Effect } from "effect"
import type { SessionSource } from "./access.ts"
import { DatabaseUnusable } from "./DatabaseUnusable.ts"
import { applied, hasCommitFunction, migrate } from "./migrate.ts"
import type { OurSchema } from "./OurSchema.ts"
import type { Step } from "./schema.ts"
import { readStanding, refusalOfSchema } from "./schemaStanding.ts"

const noSchema = (role: string, { name, quoted }: OurSchema) =>
  new DatabaseUnusable({
    message:
      `The database has no schema ${name}, and the role ${role} may not make it. Make it, with` +
      ` CREATE SCHEMA ${quoted} AUTHORIZATION ${role}, or run` +
      " `node apps/server/main.ts migrate` with PAYPORT_MIGRATION_URL, the URL of the role that" +
      " is to own it.",
  })

const closed = (role: string, { name, quoted }: OurSchema) =>
  new DatabaseUnusable({
    message:
      `The schema ${name} of the database is closed to the role ${role}: GRANT USAGE ON SCHEMA` +
      ` ${quoted} to it, or run \`node apps/server/main.ts migrate\` with PAYPORT_MIGRATION_URL,` +
      " the URL of the role that owns it.",
  })

const behind = (role: string) =>
  new DatabaseUnusable({
    message:
      `The database's schema is not that of this version of payport, and the role ${role} may not` +
      " change it: run `node apps/server/main.ts migrate` with PAYPORT_MIGRATION_URL, the URL of" +
      " the role that owns it.",
  })

const ownsAll = (role: string) =>
  new DatabaseUnusable({
    message:
      `The role ${role} of PAYPORT_DATABASE_URL owns the database's tables, and could cut the` +
      " audit log: in live mode the service runs as a role that owns nothing. Run" +
      " `node apps/server/main.ts migrate` with PAYPORT_MIGRATION_URL, the URL of the owner.",
  })

const createsNames = (role: string) =>
  new DatabaseUnusable({
    message:
      `The role ${role} of PAYPORT_DATABASE_URL may create functions in the database's schema,` +
      " and functions with the owner's rights could call them: take that away, with REVOKE CREATE" +
      " ON SCHEMA … FROM PUBLIC or from the role that it has it by, and start this again.",
  })

/**
 * Makes sure that the schema has this version. Migrates it if the service's role may do that, and
 * only checks it otherwise. Fails with `DatabaseUnusable` if the schema is missing, older or
 * foreign, if a role that must own nothing owns it, or if that role could shadow the names that its
 * functions use.
 */
export const prepareSchema = Effect.fnUntraced(function* (
  sessions: SessionSource,
  steps: readonly [Step, ...ReadonlyArray<Step>],
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
  const done = yield* applied(connection, steps)
  const isCurrent =
    steps.every(({ id }) => done.has(id)) && (yield* hasCommitFunction(connection, schema))
  if (!isCurrent) return yield* behind(role)
}, Effect.scoped)
