import { Effect } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import { type AuditHead, NO_ENTRY } from "../../../core/audit/AuditEntry.ts"
import type { Database } from "../database.ts"
import { GroupFailure, groupFailure } from "../failures.ts"
import type { Connection } from "../sessions/connectWith.ts"
import type { Row } from "../tables/Table.ts"
import { HEAD_SQL, headOf } from "../tables/auditEntries.ts"
import { CALL_COMMIT_FUNCTION } from "./commitFunction.ts"
import { groupParameters, refusalsOf } from "./groupParameters.ts"
import type { PreparedCommit } from "./PreparedCommit.ts"

/** Any number that nothing else on the database uses as an advisory lock. */
export const AUDIT_LOCK = 7_296_015_432

/** What commits travel on, and those that wait for their turn among all processes. */
export type CommitSessions = Pick<Database, "commits" | "schema" | "sessions">

/** Calls the commit function, as what it answers or what it fails with. */
export const call = (
  connection: Connection,
  group: ReadonlyArray<PreparedCommit>,
  careful: boolean,
  head: AuditHead = NO_ENTRY,
) =>
  Effect.mapError(
    connection.query(CALL_COMMIT_FUNCTION, groupParameters(group, careful, head)),
    groupFailure,
  )

/**
 * The same for a group with an entry of the audit log, which is made here, since the database must
 * not be able to. Of all processes one at a time looks where the log ends and writes behind it; its
 * turn ends with the session at the latest.
 */
const callInTurn =
  (lock: string): typeof call =>
  (connection, group, careful) => {
    const before = Effect.andThen(
      connection.query("SELECT pg_advisory_lock($1::bigint)", [lock]),
      connection.query(HEAD_SQL),
    ).pipe(
      Effect.mapError((error) => {
        const failure = groupFailure(error)
        return failure.type === "lost"
          ? new GroupFailure({ type: "unsent", cause: failure.cause })
          : failure
      }),
    )
    const end = Effect.ignore(connection.query("SELECT pg_advisory_unlock($1::bigint)", [lock]))
    return before.pipe(
      Effect.flatMap(({ rows }) => call(connection, group, careful, headOf(rows))),
      Effect.tap(end),
      Effect.tapCause(() => end),
    )
  }

/** Why each commit of a group was refused, if it was. */
export const decisionsOf = ({ rows: [row] }: { readonly rows: ReadonlyArray<Row> }) => {
  const refused = row?.["refused"]
  return typeof refused === "string" ? refusalsOf(refused) : []
}

/** Calls the commit function once: one statement, durable when it answers. */
export const callFunction = ({ commits, schema, sessions }: CommitSessions) => {
  const inTurn = callInTurn(schema.lock(AUDIT_LOCK))
  return (group: ReadonlyArray<PreparedCommit>, careful: boolean) => {
    const isAudited = group.some(({ audit }) => audit !== undefined)
    const sent = isAudited
      ? sessions.use((connection) => inTurn(connection, group, careful))
      : commits.use((connection) => call(connection, group, careful))
    return sent.pipe(
      Effect.mapError((error) => (isSqlError(error) ? groupFailure(error) : error)),
      Effect.map(decisionsOf),
    )
  }
}
