import { Effect, Exit, Result } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { NO_ENTRY } from "../../../core/audit/AuditEntry.ts"
import { type Commit, Conflict, StoreUnavailable } from "../../../core/ports/Store.ts"
import type { Failure } from "../../../core/shared/Failure.ts"
import { type BeforeCommit, changeOf, HookFailed, runHook } from "../../shared/BeforeCommit.ts"
import type { Database } from "../database.ts"
import { databaseError, GroupFailure, groupFailure } from "../failures.ts"
import type { Connection } from "../sessions/connectWith.ts"
import { HEAD_SQL, headOf } from "../tables/auditEntries.ts"
import { answerAlone, type CommitHooks } from "./groupCommit.ts"
import { AUDIT_LOCK, call, decisionsOf } from "./callFunction.ts"
import { type HostSql, HostStatements } from "./HostStatements.ts"
import { prepareCommit, type PreparedCommit } from "./PreparedCommit.ts"

/** The most transactions for a commit that meets other work. */
const MOST_SENDS = 4

/** The SQLSTATE of a lock timeout. */
const LOCK_TIMEOUT = "55P03"

/** An error in the host's hook, or the host's reason to refuse the commit. */
type Refusal = Failure | HookFailed

type Transaction = Result.Result<void, Refusal | Conflict>

const failed = (error: Refusal | Conflict): Transaction => Result.fail(error)

/** Runs the commit's own statements after those of the host. */
const callIn = Effect.fnUntraced(function* (
  connection: Connection,
  prepared: PreparedCommit,
  lock: string,
) {
  let head = NO_ENTRY
  if (prepared.audit !== undefined) {
    yield* connection.query("SELECT pg_advisory_xact_lock($1::bigint)", [lock])
    head = headOf((yield* connection.query(HEAD_SQL)).rows)
  }
  const [reason] = decisionsOf(yield* call(connection, [prepared], true, head))
  return reason
})

/**
 * Commits the transaction. A refused `COMMIT` stored nothing: a deferred constraint of the host's
 * failed. Without an answer the outcome is unknown.
 */
const end = (connection: Connection): Effect.Effect<Transaction, GroupFailure> =>
  Effect.matchEffect(connection.query("COMMIT", [], false), {
    onSuccess: () => Effect.succeed(Result.void),
    onFailure: (error): Effect.Effect<Transaction, GroupFailure> => {
      const failure = groupFailure(error)
      const { cause, type } = failure
      if (type === "lost" || type === "unsent" || type === "again") return Effect.fail(failure)
      // A deferred constraint of the host's waits for another transaction of the host's.
      if (cause.code === LOCK_TIMEOUT)
        return Effect.fail(new GroupFailure({ type: "again", cause }))
      const { message } = databaseError(error)
      return Effect.succeed(failed(new HookFailed({ message: `COMMIT was refused: ${message}` })))
    },
  })

/** Maps a failure before `COMMIT` was sent: nothing was stored. */
const unsent = (error: SqlError | GroupFailure): GroupFailure => {
  const failure = isSqlError(error) ? groupFailure(error) : error
  return failure.type === "lost"
    ? new GroupFailure({ type: "unsent", cause: failure.cause })
    : failure
}

const begin = (connection: Connection) =>
  Effect.mapError(connection.query("BEGIN ISOLATION LEVEL READ COMMITTED", [], false), unsent)

/**
 * Checks a commit that the host refused. If it conflicts with another change, the conflict is
 * answered instead: the host may have refused its own rows of an earlier try of the same request.
 */
const unlessOvertaken = (
  refused: Transaction,
  connection: Connection,
  prepared: PreparedCommit,
  lock: string,
): Effect.Effect<Transaction, GroupFailure> =>
  Effect.andThen(begin(connection), callIn(connection, prepared, lock)).pipe(
    Effect.mapError(unsent),
    Effect.ensuring(Effect.ignore(connection.query("ROLLBACK", [], false))),
    Effect.map((reason) => (reason === undefined ? refused : failed(new Conflict({ reason })))),
  )

/** Runs the host's statements and the commit in one transaction. */
const transaction = (
  connection: Connection,
  prepared: PreparedCommit,
  lock: string,
  run: (sql: HostSql) => Effect.Effect<void, Refusal>,
): Effect.Effect<Transaction, GroupFailure> => {
  const statements = new HostStatements(connection)
  const hosted = Effect.result(Effect.andThen(run(statements.sql), statements.end))
  const back = Effect.suspend(() => {
    const { isQuiet } = statements
    statements.close()
    // A session with a pending statement is closed instead of waited for.
    if (!isQuiet) return Effect.succeed(false)
    return Effect.map(Effect.exit(connection.query("ROLLBACK", [], false)), Exit.isSuccess)
  })
  const decided = Effect.gen(function* () {
    yield* begin(connection)
    const host = yield* hosted
    const { trouble } = statements
    if (trouble !== undefined) return yield* Effect.fail(unsent(trouble))
    if (Result.isFailure(host)) return failed(host.failure)
    const reason = yield* Effect.mapError(callIn(connection, prepared, lock), unsent)
    return reason === undefined ? Result.void : failed(new Conflict({ reason }))
  })
  return Effect.gen(function* () {
    const outcome = yield* Effect.exit(decided)
    if (Exit.isSuccess(outcome) && Result.isSuccess(outcome.value)) return yield* end(connection)
    const isBack = yield* back
    if (Exit.isFailure(outcome)) return yield* outcome
    const { value } = outcome
    if (Result.isSuccess(value)) return value
    // A defect makes the pool close the session.
    if (!isBack) return yield* Effect.die(value.failure)
    return value.failure instanceof Conflict
      ? value
      : yield* unlessOvertaken(value, connection, prepared, lock)
  })
}

/** The parts of a database that a hooked commit needs. */
type Hosted = Pick<Database, "hooked" | "schema">

/**
 * Runs each commit in its own transaction, after the host's statements. The commit's locks are
 * taken after those statements, so no other commit waits for the host. A commit is not interrupted,
 * so that its outcome is known.
 *
 * Dies with the host's refusal, or with the error of its hook.
 */
export const makeHookedCommit =
  ({ hooked, schema }: Hosted, hook: BeforeCommit<HostSql>, hooks: CommitHooks) =>
  (commit: Commit): Effect.Effect<void, Conflict | StoreUnavailable> => {
    const lock = schema.lock(AUDIT_LOCK)
    const run = (sql: HostSql) => runHook(hook, changeOf(hook, commit), sql)

    const stored = ({ announced, records }: PreparedCommit) => {
      hooks.changed(announced)
      return hooks.stored(records)
    }
    const answer = (prepared: PreparedCommit, done: Transaction) => {
      if (Result.isSuccess(done)) return stored(prepared)
      const { failure } = done
      if (!(failure instanceof Conflict)) return Effect.die(failure)
      const { reason } = failure
      if (reason.type === "stale_version") hooks.changed([reason.id])
      return Effect.fail(failure)
    }
    const attempt = (
      prepared: PreparedCommit,
      sends: number,
    ): Effect.Effect<void, Conflict | StoreUnavailable> =>
      hooked
        .write((connection) => transaction(connection, prepared, lock, run))
        .pipe(
          Effect.mapError((error) => (isSqlError(error) ? unsent(error) : error)),
          Effect.matchEffect({
            onSuccess: (done) => answer(prepared, done),
            onFailure: (failure) => {
              if (failure.type === "again" && sends < MOST_SENDS) {
                return Effect.andThen(
                  Effect.sleep(`${2 ** sends} millis`),
                  attempt(prepared, sends + 1),
                )
              }
              if (failure.type !== "lost") return answerAlone(prepared, failure)
              hooks.changed(prepared.announced)
              return Effect.fail(new StoreUnavailable({ outcome: "unknown", cause: failure.cause }))
            },
          }),
        )
    return Effect.suspend(() => {
      const prepared = prepareCommit(commit)
      if ("type" in prepared) return Effect.fail(new Conflict({ reason: prepared }))
      return Effect.uninterruptible(attempt(prepared, 1))
    })
  }
