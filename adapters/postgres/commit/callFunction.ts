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

/** A number that nothing else in the database uses as an advisory lock. */
export const AUDIT_LOCK = 7_296_015_432

/** The pools for commits, and for those that wait for their turn among all processes. */
export type CommitSessions = Pick<Database, "commits" | "schema" | "sessions">

/** Calls the commit function. Fails with the group's failure. */
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
 * Calls the commit function for a group with an entry of the audit log. The entry is made here,
 * because the database must not be able to make one. Of all processes, one at a time reads the end
 * of the log and appends to it. Its turn ends with the session at the latest.
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

/** Returns for each commit of a group why it was refused, or undefined. */
export const decisionsOf = ({ rows: [row] }: { readonly rows: ReadonlyArray<Row> }) => {
  const refused = row?.["refused"]
  return typeof refused === "string" ? refusalsOf(refused) : []
}

/** Calls the commit function once, in one statement that is durable when it answers. */
export const callFunction = ({ commits, schema, sessions }: CommitSessions) => {
  const inTurn = callInTurn(schema.lock(AUDIT_LOCK))
  return (group: ReadonlyArray<PreparedCommit>, careful: boolean) => {
    const isAudited = group.some(({ audit }) => audit !== undefined)
    const sent = isAudited
      ? sessions.write((connection) => inTurn(connection, group, careful))
      : commits.write((connection) => call(connection, group, careful))
    return sent.pipe(
      Effect.mapError((error) => (isSqlError(error) ? groupFailure(error) : error)),
      Effect.map(decisionsOf),
    )
  }
}
