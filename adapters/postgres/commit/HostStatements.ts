import { Effect, Exit } from "effect"
import { HookFailed } from "../../shared/BeforeCommit.ts"
import { type GroupFailure, groupFailure } from "../failures.ts"
import type { Connection } from "../sessions/connectWith.ts"
import type { Row } from "../tables/Table.ts"

/**
 * Asks one statement in the transaction of a commit, as it is written; its parameters are `$1` and
 * so on. Rejects with what the database says (`code` is the SQLSTATE), and the transaction is over.
 */
export type HostSql = (
  text: string,
  parameters?: ReadonlyArray<unknown>,
) => Promise<ReadonlyArray<Row>>

/** What stands before the first word of a statement; comments within comments are none here. */
const BEFORE = /^(?:\s|;|--[^\n]*(?:\n|$)|\/\*(?:[^*/]|\*(?!\/)|\/(?!\*))*\*\/)*/

/** A statement that reads or writes rows: others would end the transaction or outlive it. */
const TAKEN = /^(?:SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|VALUES)\b/i

/** One more statement behind the first: some drivers would send both. */
const MORE = /;(?!\s*$)/

const refusalOf = (text: string): HookFailed | undefined => {
  const statement = text.replace(BEFORE, "")
  if (TAKEN.test(statement) && !MORE.test(statement)) return undefined
  return new HookFailed({
    message:
      "A statement of beforeCommit reads or writes rows (SELECT, INSERT, UPDATE, DELETE, MERGE," +
      " WITH, VALUES), one at a time and without a semicolon but at its end: the transaction is" +
      " payport's. Give texts with semicolons as parameters.",
  })
}

const NOT_THE_HOSTS: ReadonlySet<GroupFailure["type"]> = new Set([
  "again",
  "lost",
  "unable",
  "unsent",
])

/** The statements of a hook, one after the other, for as long as the hook runs. */
export class HostStatements {
  readonly #connection: Connection
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #flaw: HookFailed | undefined
  #trouble: GroupFailure | undefined
  #isOver = false
  readonly #given = new AbortController()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  readonly sql: HostSql = (text, parameters = []) => {
    const refusal = this.#isOver
      ? new HookFailed({ message: "The commit of this beforeCommit is over." })
      : refusalOf(text)
    if (refusal !== undefined) {
      this.#flaw ??= refusal
      return Promise.reject(refusal)
    }
    this.#waiting++
    const asked = this.#last.then(() => this.#ask(text, parameters))
    this.#last = asked.then(
      () => this.#waiting--,
      () => this.#waiting--,
    )
    return asked
  }

  /** Whether the session is asked nothing. */
  get isQuiet(): boolean {
    return this.#waiting === 0
  }

  /** Why a statement failed that is no fault of the host's: its session or other work ended it. */
  get trouble(): GroupFailure | undefined {
    return this.#trouble
  }

  /** Takes no more statements, and gives up those that are still asked. */
  close(): void {
    this.#isOver = true
    if (!this.isQuiet) this.#given.abort()
  }

  /** Waits for what was asked; fails where a statement failed, whatever the hook made of that. */
  readonly end: Effect.Effect<void, HookFailed> = Effect.suspend(() => {
    this.#isOver = true
    return Effect.flatMap(
      Effect.promise(() => this.#last),
      () => (this.#flaw === undefined ? Effect.void : Effect.fail(this.#flaw)),
    )
  })

  async #ask(text: string, parameters: ReadonlyArray<unknown>): Promise<ReadonlyArray<Row>> {
    if (this.#flaw !== undefined) throw this.#flaw
    const { signal } = this.#given
    const query = this.#connection.queryAsWritten(text, parameters, false)
    const exit = await Effect.runPromiseExit(query, { signal })
    if (Exit.isSuccess(exit)) return exit.value.rows
    const found = Exit.findErrorOption(exit)
    const said = found._tag === "Some" ? found.value.reason.cause : exit.cause
    const failure = found._tag === "Some" ? groupFailure(found.value) : undefined
    if (failure !== undefined && NOT_THE_HOSTS.has(failure.type)) this.#trouble ??= failure
    const message = said instanceof Error ? said.message : "The database did not answer."
    this.#flaw = new HookFailed({
      message: `A statement of beforeCommit failed: ${message}`,
      cause: said,
    })
    throw said instanceof Error ? said : this.#flaw
  }
}
