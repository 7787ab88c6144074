import { Effect, Exit } from "effect"
import { HookFailed } from "../../shared/BeforeCommit.ts"
import { type GroupFailure, groupFailure } from "../failures.ts"
import type { Connection } from "../sessions/connectWith.ts"
import type { Row } from "../tables/Table.ts"

/**
 * Sends one statement, unchanged, in the transaction of a commit. Its parameters are `$1` and so
 * on. Rejects with the error of the database (`code` is the SQLSTATE), and the transaction ends.
 */
export type HostSql = (
  text: string,
  parameters?: ReadonlyArray<unknown>,
) => Promise<ReadonlyArray<Row>>

/** White space, semicolons and comments before the first word. Nested comments do not count. */
const BEFORE = /^(?:\s|;|--[^\n]*(?:\n|$)|\/\*(?:[^*/]|\*(?!\/)|\/(?!\*))*\*\/)*/

/** The statements that read or write rows. Others could end the transaction or outlive it. */
const TAKEN = /^(?:SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|VALUES)\b/i

/** A further statement behind the first: some drivers would send both. */
const MORE = /;(?!\s*$)/

const refusalOf = (text: string): HookFailed | undefined => {
  const statement = text.replace(BEFORE, "")
  if (TAKEN.test(statement) && !MORE.test(statement)) return undefined
  return new HookFailed({
    message:
      "A statement of beforeCommit must be a single SELECT, INSERT, UPDATE, DELETE, MERGE, WITH" +
      " or VALUES, with a semicolon only at its end, because payport controls the transaction." +
      " Pass texts with semicolons as parameters.",
  })
}

const NOT_THE_HOSTS: ReadonlySet<GroupFailure["type"]> = new Set([
  "again",
  "lost",
  "unable",
  "unsent",
])

/** The statements of a hook, one at a time, while the hook runs. */
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

  /** Whether no statement is pending. */
  get isQuiet(): boolean {
    return this.#waiting === 0
  }

  /** The failure of a statement without the host's fault: its session or other work ended it. */
  get trouble(): GroupFailure | undefined {
    return this.#trouble
  }

  /** Accepts no more statements, and aborts pending ones. */
  close(): void {
    this.#isOver = true
    if (!this.isQuiet) this.#given.abort()
  }

  /** Waits for pending statements. Fails if a statement failed, even if the hook caught that. */
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
