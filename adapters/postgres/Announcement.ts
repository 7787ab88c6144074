import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { holdCommitFunction } from "./commit/unusedFunctions.ts"
import type { OurSchema } from "./OurSchema.ts"
import { announceProcess, MAY_RUN } from "./runningProcesses.ts"
import { noSession, type Session } from "./sessions/Session.ts"

const dropped = noSession(
  "42883",
  "A migration has dropped the commit function: start payport again.",
)
const tooOld = noSession(
  "55000",
  "A migration has begun that this version of payport cannot run beside: start the newer version.",
)

/**
 * Announces this process in one session. All that write ask it first: they may have sessions of
 * their own, which a pooler or a host lends and which cannot announce anything.
 */
export class Announcement {
  readonly #schema: OurSchema
  #refusal: SqlError | undefined

  constructor(schema: OurSchema) {
    this.#schema = schema
  }

  /** Fails while the announcing session was refused when it was last opened. */
  readonly admission: Effect.Effect<void, SqlError> = Effect.suspend(() =>
    this.#refusal === undefined ? Effect.void : Effect.fail(this.#refusal),
  )

  /**
   * Announces the process in the session, and marks the commit function that it calls, so that no
   * migration drops it or begins a step that this version cannot run beside. If it is refused, the
   * session is closed, and nothing is admitted until another session is accepted.
   */
  readonly hold = (opened: Session): Effect.Effect<Session, SqlError> => {
    const asks = (sql: string, column: string, otherwise: SqlError) =>
      Effect.flatMap(opened.connection.query(sql, [], false), ({ rows }) =>
        rows[0]?.[column] === true ? Effect.void : this.#refuse(otherwise),
      )
    return asks(holdCommitFunction(this.#schema), "is_there", dropped).pipe(
      Effect.andThen(asks(announceProcess(this.#schema), "announced", tooOld)),
      Effect.andThen(asks(MAY_RUN, "may_run", tooOld)),
      Effect.andThen(Effect.sync(() => void (this.#refusal = undefined))),
      Effect.as(opened),
      Effect.tapCause(() => Effect.sync(() => opened.close(true))),
    )
  }

  readonly #refuse = (why: SqlError): Effect.Effect<never, SqlError> =>
    Effect.suspend(() => Effect.fail((this.#refusal = why)))
}
