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

/** Transactions of a commit that met other work, at most. */
const MOST_SENDS = 4

/** The SQLSTATE of a lock that was waited for too long. */
const LOCK_TIMEOUT = "55P03"

/** What a host did wrong, or why it does not want the commit. */
type Refusal = Failure | HookFailed

type Transaction = Result.Result<void, Refusal | Conflict>

const failed = (error: Refusal | Conflict): Transaction => Result.fail(error)

/** The commit's own statements, behind those of the host. */
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
 * A refused `COMMIT` has stored nothing: a constraint of the host's is deferred. Without an answer
 * it is not known.
 */
const end = (connection: Connection): Effect.Effect<Transaction, GroupFailure> =>
  Effect.matchEffect(connection.query("COMMIT", [], false), {
    onSuccess: () => Effect.succeed(Result.void),
    onFailure: (error): Effect.Effect<Transaction, GroupFailure> => {
      const failure = groupFailure(error)
      const { cause, type } = failure
      if (type === "lost" || type === "unsent" || type === "again") return Effect.fail(failure)
      // A deferred constraint of the host's waits for another transaction of it.
      if (cause.code === LOCK_TIMEOUT)
        return Effect.fail(new GroupFailure({ type: "again", cause }))
      const { message } = databaseError(error)
      return Effect.succeed(failed(new HookFailed({ message: `COMMIT was refused: ${message}` })))
    },
  })

/** What fails before `COMMIT` was sent has stored nothing. */
const unsent = (error: SqlError | GroupFailure): GroupFailure => {
  const failure = isSqlError(error) ? groupFailure(error) : error
  return failure.type === "lost"
    ? new GroupFailure({ type: "unsent", cause: failure.cause })
    : failure
}

const begin = (connection: Connection) =>
  Effect.mapError(connection.query("BEGIN ISOLATION LEVEL READ COMMITTED", [], false), unsent)

/**
 * What the host has refused: a commit that meets another change is no matter of the host's, whose
 * own rows may be there already, such as those of the same request that was sent before.
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

/** One transaction of the host's statements and the commit. */
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
    // A session that is still asked something is not waited for: it is closed.
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
    // A defect, upon which the pool closes the session.
    if (!isBack) return yield* Effect.die(value.failure)
    return value.failure instanceof Conflict
      ? value
      : yield* unlessOvertaken(value, connection, prepared, lock)
  })
}

/** What a hooked commit needs of a database. */
type Hosted = Pick<Database, "hooked" | "schema">

/**
 * A commit in a transaction of its own, which a host's statements come before. Its locks are held
 * for the commit alone: nobody waits for the host. It is not interrupted, so that what became of it
 * is known.
 *
 * Dies with the refusal of the host, or with what is wrong with its hook.
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
        .use((connection) => transaction(connection, prepared, lock, run))
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
